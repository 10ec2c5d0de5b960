import { snapshot, subscribe } from 'valtio/vanilla'
import { globalTemplateList } from '../../client/mail/global-list.ts'
import type { Session } from '../../client/core/http.ts'
import { getEmailTemplate } from '../../client/mail/template.ts'
import { templateList } from '../../client/mail/template-list.ts'
import { searchTemplates } from '../../client/mail/template-search.ts'
import type { Template } from '../../contract/mail/template.ts'
import { noSearch, type TemplateRows } from './template-rows.ts'
import { createTemplateReader, readTemplate, type TemplateRecord, type TemplateSource } from '../lib/template-record.ts'

/** Follows the templates of a source. */
export interface FollowedTemplates {
  load(): Promise<void>
  /** Searches also what is not loaded yet. */
  find(query: string): void
  /** Loads the next ones, of the query where there is one. Nothing while a request is under way and where all are there. */
  loadMore(): void
  stop(): void
}

/** State of lists of either kind. */
interface Shown {
  status: TemplateRows['status'] | 'idle'
  items: readonly (Template | { id: string; data?: unknown })[]
  error: string | null
  found?: readonly Template[]
  hasMore?: boolean
  totalCount?: number
}

/**
 * Reports each change of the session's list of a source. Plain objects replace proxies: thousands of them are searched with
 * every keystroke.
 */
export function followTemplates(
  session: Session,
  { source, hostedKey }: { source: TemplateSource; hostedKey: string },
  onRows: (rows: TemplateRows) => void,
): FollowedTemplates {
  const own = source === 'own' ? templateList(session) : null
  const list = own ?? globalTemplateList(session, hostedKey)
  const search = own && searchTemplates(session, true)
  const read = createTemplateReader(source)
  let query = ''
  const tell = () => {
    const { status, items, error, found = [], hasMore = false, totalCount = items.length } = snapshot<Shown>(list.state)
    const rows = read(items)
    onRows({
      ...{ status: status === 'idle' ? 'loading' : status, items: rows, error, hasMore, totalCount },
      searched: found.length === 0 ? rows : [...rows, ...read(found)],
      search: search === null ? noSearch : snapshot(search.state),
    })
  }
  const stops = [
    subscribe(
      list.state,
      () => {
        search?.find(query) // What is typed while the first page loads.
        tell()
      },
      true,
    ),
  ]
  if (search !== null) stops.push(subscribe(search.state, tell, true), () => search.stop())
  tell()
  return {
    load: () => list.load(),
    find(text) {
      query = text
      search?.find(text)
    },
    loadMore() {
      if (query.trim() !== '') search?.loadMore()
      else if (own?.state.hasMore === true && own.state.status === 'ready') void own.loadMore()
    },
    stop: () => stops.forEach((stop) => stop()),
  }
}

/** An own template with its design document. Throws ApiError. */
export async function readWhole(session: Session, id: string): Promise<TemplateRecord> {
  return readTemplate(await getEmailTemplate(session, id), 'own')
}
