import { historyPlace, placeKey } from '../widgets/lib/history/history-place.ts'

/**
 * Numbers the history entries of this page in browsers without the Navigation API, to distinguish Forward from Back. Must
 * run before other `popstate` listeners are added.
 */
export function trackHistoryPosition(): void {
  if ((window as { navigation?: object }).navigation) return
  let place = historyPlace() ?? 0
  for (const name of ['pushState', 'replaceState'] as const) {
    const write = history[name].bind(history)
    history[name] = (state: object | null, unused, url) => {
      if (name === 'pushState') place += 1
      write({ ...state, [placeKey]: place }, unused, url)
    }
  }
  history.replaceState(history.state, '')
  window.addEventListener('popstate', () => {
    const known = historyPlace()
    if (known !== null) place = known
    else {
      // A link to a part of the page has already made an entry.
      place += 1
      history.replaceState(history.state, '')
    }
  })
}
