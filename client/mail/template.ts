import type { QueryOf } from '../../contract/core/operation.ts'
import type { NewTemplate, Template, TemplateChanges, TemplateVersion } from '../../contract/mail/template.ts'
import type * as api from '../../contract/mail/template.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/template.routes.ts'

/** Saves a template; its key comes with the answer. */
export function createEmailTemplate(session: Session, template: NewTemplate, options?: CallOptions): Promise<Template> {
  return call<typeof api.createEmailTemplate>(session, { route: routes.createEmailTemplate, body: template }, options)
}

/** The templates of the workspace, newest first. */
export function getEmailTemplates(
  session: Session,
  query: QueryOf<typeof api.getEmailTemplates> = {},
  options?: CallOptions,
): Promise<Page<Template>> {
  return callList<typeof api.getEmailTemplates>(session, { route: routes.getEmailTemplates, query }, options)
}

export function getEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<Template> {
  return call<typeof api.getEmailTemplate>(session, { route: routes.getEmailTemplate, params: { id } }, options)
}

/** Changes what is given; the key stays. */
export function updateEmailTemplate(
  session: Session,
  id: string,
  changes: TemplateChanges,
  options?: CallOptions,
): Promise<Template> {
  return call<typeof api.updateEmailTemplate>(
    session,
    { route: routes.updateEmailTemplate, params: { id }, body: changes },
    options,
  )
}

/** Deletes a template; for 30 days it can be restored. */
export function deleteEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteEmailTemplate>(session, { route: routes.deleteEmailTemplate, params: { id } }, options)
}

/** Takes a deletion back. */
export function restoreEmailTemplate(session: Session, id: string, options?: CallOptions): Promise<Template> {
  return call<typeof api.restoreEmailTemplate>(session, { route: routes.restoreEmailTemplate, params: { id } }, options)
}

/** Deletes all templates of the workspace. */
export function deleteAllTemplates(session: Session, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteAllTemplates>(session, { route: routes.deleteAllTemplates }, options)
}

/** The last 50 versions of a template, newest first; the first is the current one. */
export function getTemplateVersions(session: Session, id: string, options?: CallOptions): Promise<TemplateVersion[]> {
  return call<typeof api.getTemplateVersions>(session, { route: routes.getTemplateVersions, params: { id } }, options)
}

/** Gives a template the content of an earlier version, as a new version. */
export function restoreTemplateVersion(
  session: Session,
  id: string,
  revision: number,
  options?: CallOptions,
): Promise<Template> {
  return call<typeof api.restoreTemplateVersion>(
    session,
    { route: routes.restoreTemplateVersion, params: { id, revision } },
    options,
  )
}
