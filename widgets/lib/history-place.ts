/** The part of an entry's state that says where it stands in the history, in browsers without the Navigation API. */
export const placeKey = 'sendwright-place'

/** Where the page stands in the browser's history, counted up from entry to entry; null where nobody knows. */
export function historyPlace(): number | null {
  const { navigation } = window as { navigation?: { currentEntry?: { index: number } | null } }
  const state = history.state as Record<string, number | undefined> | null
  return navigation?.currentEntry?.index ?? state?.[placeKey] ?? null
}
