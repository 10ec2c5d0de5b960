import { historyPlace } from './history-place.ts'

/** Says whether a screen has to be asked before it is left; `leave` is called when it may be after all. */
export type AskToLeave = (leave: () => void) => boolean

/** Dispatched on the window after a history move, before the screens change; preventing it keeps the screen. */
const movedEvent = 'sendwright:moved'

/**
 * Asks before Back or Forward shows another screen of this page. The browser dispatches `popstate` after the move, so the
 * move is reverted at once, unnoticed by the screens, and repeated when `leave` is called. Returns its undo. The page has to
 * dispatch `movedEvent`.
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
    // Without a position the navigation counts as back.
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
