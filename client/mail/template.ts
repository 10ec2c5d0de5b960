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

const path = '/email/template/{id}'

/** Saves a template; its key comes with the answer. */
export function createEmailTemplate(session: Session, template: NewTemplate, options?: CallOptions): Promise<Template> {
  return call<typeof CreateEmailTemplate>(session, { method: 'POST', path: '/email/template', body: template }, options)
}

/** The templates of the workspace, newest first. */
export function getEmailTemplates(
  session: Session,
  query: QueryOf<typeof GetEmailTemplates> = {},
  options?: CallOptions,
): Promise<Page<Template>> {
  return callList<typeof GetEmailTemplates>(session, { method: 'GET', path: '/email/templates', query }, options)
}

export function getEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<Template> {
  return call<typeof GetEmailTemplate>(session, { method: 'GET', path, params: { id } }, options)
}

/** Changes what is given; the key stays. */
export function updateEmailTemplate(
  session: Session,
  id: string,
  changes: TemplateChanges,
  options?: CallOptions,
): Promise<Template> {
  return call<typeof UpdateEmailTemplate>(session, { method: 'PATCH', path, params: { id }, body: changes }, options)
}

/** Deletes a template; for 30 days it can be restored. */
export function deleteEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof DeleteEmailTemplate>(session, { method: 'DELETE', path, params: { id } }, options)
}

/** Takes a deletion back. */
export function restoreEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<Template> {
  return call<typeof RestoreEmailTemplate>(
    session,
    { method: 'POST', path: '/email/template/{id}/restore', params: { id } },
    options,
  )
}

/** Deletes all templates of the workspace. */
export function deleteAllTemplates(session: Session, options?: CallOptions): Promise<null> {
  return call<typeof DeleteAllTemplates>(session, { method: 'DELETE', path: '/email/templates' }, options)
}
