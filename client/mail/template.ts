import type { QueryOf } from '../../contract/core/operation.ts'
import type {
  createEmailTemplate as CreateEmailTemplate,
  deleteAllTemplates as DeleteAllTemplates,
  deleteEmailTemplate as DeleteEmailTemplate,
  getEmailTemplate as GetEmailTemplate,
  getEmailTemplates as GetEmailTemplates,
  NewTemplate,
  restoreEmailTemplate as RestoreEmailTemplate,
  Template,
  TemplateChanges,
  updateEmailTemplate as UpdateEmailTemplate,
} from '../../contract/mail/template.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/template.routes.ts'

/** Saves a template; its key comes with the answer. */
export function createEmailTemplate(session: Session, template: NewTemplate, options?: CallOptions): Promise<Template> {
  return call<typeof CreateEmailTemplate>(session, { route: routes.createEmailTemplate, body: template }, options)
}

/** The templates of the workspace, newest first. */
export function getEmailTemplates(
  session: Session,
  query: QueryOf<typeof GetEmailTemplates> = {},
  options?: CallOptions,
): Promise<Page<Template>> {
  return callList<typeof GetEmailTemplates>(session, { route: routes.getEmailTemplates, query }, options)
}

export function getEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<Template> {
  return call<typeof GetEmailTemplate>(session, { route: routes.getEmailTemplate, params: { id } }, options)
}

/** Changes what is given; the key stays. */
export function updateEmailTemplate(
  session: Session,
  id: string,
  changes: TemplateChanges,
  options?: CallOptions,
): Promise<Template> {
  return call<typeof UpdateEmailTemplate>(
    session,
    { route: routes.updateEmailTemplate, params: { id }, body: changes },
    options,
  )
}

/** Deletes a template; for 30 days it can be restored. */
export function deleteEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof DeleteEmailTemplate>(session, { route: routes.deleteEmailTemplate, params: { id } }, options)
}

/** Takes a deletion back. */
export function restoreEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<Template> {
  return call<typeof RestoreEmailTemplate>(session, { route: routes.restoreEmailTemplate, params: { id } }, options)
}

/** Deletes all templates of the workspace. */
export function deleteAllTemplates(session: Session, options?: CallOptions): Promise<null> {
  return call<typeof DeleteAllTemplates>(session, { route: routes.deleteAllTemplates }, options)
}
