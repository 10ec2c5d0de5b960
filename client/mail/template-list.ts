import { templateListFreshMs } from '../../contract/mail/template.limits.ts'
import type { Template } from '../../contract/mail/template.ts'
import type { Session } from '../core/http.ts'
import { sharedList, type SharedList } from '../core/shared-list.ts'
import { getEmailTemplates } from './template.ts'

/** The templates of a session, newest first. */
export type TemplateList = SharedList<Template>

/** The session's shared list of its own templates, page by page; requested again when it is older than five seconds (spec §9). */
export function templateList(session: Session): TemplateList {
  return sharedList(session, {
    key: 'templates-mine',
    fetchPage: getEmailTemplates,
    newestAt: 'start',
    freshMs: templateListFreshMs,
    isWhole: false,
  })
}
