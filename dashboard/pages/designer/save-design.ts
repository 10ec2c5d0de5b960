import type { Session } from '../../../client/core/http.ts'
import { createTemplateOnce } from '../../../client/mail/new-template.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import { getEmailTemplate, updateEmailTemplate } from '../../../client/mail/template.ts'
import { readTemplate } from '../../../widgets/lib/template-record.ts'
import type { Design } from './design.ts'

/** Loads a template of the user as a design. */
export async function loadDesign(session: Session, id: string): Promise<Design> {
  const template = await getEmailTemplate(session, id)
  const { subject, body, context } = readTemplate(template, 'own')
  const { name, is_public: isPublic } = template
  return { name, subject, body, tags: context, ...(isPublic !== undefined && { isPublic }) }
}

/** Creates a template, or updates the one with the id `savedId`. Returns its id. */
export async function saveDesign(session: Session, savedId: string | null, design: Design): Promise<string> {
  const { name, subject, body, tags: context, isPublic } = design
  const hasName = savedId !== null || name.trim() !== ''
  const fields = {
    ...(hasName && { name }),
    subject,
    body,
    context,
    ...(isPublic !== undefined && { is_public: isPublic }),
  }
  const template =
    savedId === null ? await createTemplateOnce(session, fields) : await updateEmailTemplate(session, savedId, fields)
  templateList(session).put(template)
  return template.id
}
