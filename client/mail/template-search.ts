import { searchList, type ListSearch } from '../core/list-search.ts'
import type { Session } from '../core/http.ts'
import { templateList } from './template-list.ts'
import { getEmailTemplates } from './template.ts'

/** Searches the templates that are not loaded yet; `isWithContent`: in the text of their bodies, too. */
export function searchTemplates(session: Session, isWithContent: boolean): ListSearch {
  return searchList(templateList(session), (query, options) =>
    getEmailTemplates(session, { ...query, ...(isWithContent && { with_content: true }) }, options),
  )
}
