import { guardHistory } from '../../lib/history/guard-history.ts'

const question = 'What you wrote is not saved. Leave all the same?'

/**
 * Asks before the page, or a screen of it, is left while something would be lost. Returns the undo. A page may not word its
 * own question when it is closed; the browser has one.
 */
export function guardLeaving(wouldLose: () => boolean): () => void {
  const onBeforeUnload = (event: BeforeUnloadEvent) => {
    if (wouldLose()) event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const link = event.composedPath().find((part) => part instanceof HTMLAnchorElement)
    const staysHere = !link || link.target === '_blank' || event.ctrlKey || event.metaKey || event.shiftKey
    if (staysHere || !wouldLose() || window.confirm(question)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const unguardHistory = guardHistory(() => wouldLose() && !window.confirm(question))
  window.addEventListener('beforeunload', onBeforeUnload)
  window.addEventListener('click', onClick, { capture: true })
  return () => {
    unguardHistory()
    window.removeEventListener('beforeunload', onBeforeUnload)
    window.removeEventListener('click', onClick, { capture: true })
  }
}
