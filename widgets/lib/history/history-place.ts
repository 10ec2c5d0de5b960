/** Key of an entry's state that holds its history position, in browsers without the Navigation API. */
export const placeKey = 'sendwright-place'

/** Position of the page in the browser's history, counted from entry to entry; null if unknown. */
export function historyPlace(): number | null {
  const { navigation } = window as { navigation?: { currentEntry?: { index: number } | null } }
  const state = history.state as Record<string, number | undefined> | null
  return navigation?.currentEntry?.index ?? state?.[placeKey] ?? null
}
