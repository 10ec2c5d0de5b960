import { historyPlace } from './history-place.ts'

/** Says whether a screen has to be asked before it is left; `leave` is called when it may be after all. */
export type AskToLeave = (leave: () => void) => boolean

/** Told on the window of a page that has moved in its history, before its screens are: whoever takes it keeps them. */
const movedEvent = 'sendwright:moved'

/**
 * Asks before Back or Forward leads to another screen of this page. A browser has moved already when it tells: the way is
 * gone back at once, unseen by whoever draws the screens, and gone again when `leave` is called. Gives its undo. The page
 * has to tell `movedEvent`.
 */
export function guardHistory(ask: AskToLeave): () => void {
  const path = location.pathname
  const home = historyPlace()
  let phase: 'watching' | 'returning' | 'leaving' = 'watching'
  const onMoved = (event: Event) => {
    if (phase === 'leaving') return
    if (phase === 'returning') {
      event.preventDefault()
      phase = 'watching'
      return
    }
    if (location.pathname === path) return // To a part of this screen.
    const now = historyPlace()
    // Who does not tell is taken to have gone back.
    const stepsBack = home === null || now === null ? 1 : home - now
    const leave = () => {
      phase = 'leaving'
      history.go(-stepsBack)
    }
    if (stepsBack === 0 || !ask(leave)) return
    event.preventDefault()
    phase = 'returning'
    history.go(stepsBack)
  }
  window.addEventListener(movedEvent, onMoved)
  return () => window.removeEventListener(movedEvent, onMoved)
}
