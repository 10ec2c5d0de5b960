/** The view of a list: search, filters and page, counted from 1. */
export interface ListLocation<Filter> {
  filter: Filter
  page: number
}

/** What each part of a filter may be; null for any words. */
export type FilterValues<Filter> = { readonly [Name in keyof Filter]: readonly string[] | null }

const pageMax = 10_000_000

/** Reads the view of a list from the page's address. A missing or invalid value is '' or the first page. */
export function readListLocation<Filter extends object>(
  values: FilterValues<Filter>,
  pageName = 'page',
): ListLocation<Filter> {
  const query = new URLSearchParams(location.search)
  const parts = Object.entries<readonly string[] | null>(values).map(([name, allowed]) => {
    const value = query.get(name) ?? ''
    return [name, allowed === null || allowed.includes(value) ? value : '']
  })
  const page = Number(query.get(pageName) ?? 1)
  const isPage = Number.isInteger(page) && page >= 1 && page <= pageMax
  return { filter: Object.fromEntries(parts) as Filter, page: isPage ? page : 1 }
}

/** Writes the view into the address, as a new history entry unless it replaces the last one. */
export function writeListLocation<Filter extends object>(
  { filter, page }: ListLocation<Filter>,
  how: 'push' | 'replace',
  pageName = 'page',
): void {
  const to = new URL(location.href)
  for (const [name, value] of Object.entries({ ...filter, [pageName]: page === 1 ? '' : String(page) })) {
    if (value === '') to.searchParams.delete(name)
    else to.searchParams.set(name, value)
  }
  if (to.href === location.href) return
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(history.state, '', to)
}

/** Calls back when Back, Forward or a link changes the view of the same screen. Returns a function that stops it. */
export function onListLocation(onMoved: () => void): () => void {
  const path = location.pathname
  const check = () => {
    if (location.pathname === path) onMoved()
  }
  // The router announces a link of this page, which uses pushState.
  const events = ['popstate', 'pushState'] as const
  for (const name of events) window.addEventListener(name, check)
  return () => {
    for (const name of events) window.removeEventListener(name, check)
  }
}
