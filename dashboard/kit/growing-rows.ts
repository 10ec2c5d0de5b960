import { errorText, isAbort, type Page } from '../../client/core/http.ts'

/** A list that grows page by page; `failed` keeps the loaded rows. */
export interface GrowingRows<T> {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  items: T[]
  totalCount: number
}

export const noRows = <T>(): GrowingRows<T> => ({ status: 'loading', error: null, items: [], totalCount: 0 })

/** Loads one page into a list, and drops the rows after it. */
export async function loadInto<T>(
  rows: GrowingRows<T>,
  page: { limit: number; offset: number },
  fetch: (page: { limit: number; offset: number }) => Promise<Page<T>>,
): Promise<void> {
  try {
    const { items, totalCount } = await fetch(page)
    rows.items.splice(page.offset, rows.items.length, ...items)
    Object.assign(rows, { status: 'ready', error: null, totalCount })
  } catch (error) {
    if (!isAbort(error)) Object.assign(rows, { status: 'failed', error: errorText(error) })
  }
}
