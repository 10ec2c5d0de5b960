import type { Session } from '../../../client/core/http.ts'
import { createTemplateOnce } from '../../../client/mail/new-template.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import { getEmailTemplate, updateEmailTemplate } from '../../../client/mail/template.ts'
import type { Template } from '../../../contract/mail/template.ts'
import { isNewerDesign } from '../../../mail-design/migrate.ts'
import { readTemplate } from '../../../widgets/lib/template-record.ts'
import { documentOf, type Design } from './design.ts'

/** A template on the server. */
export interface SavedTemplate {
  id: string
  revision: number
}

/** Loads a template of the user as a design. */
export async function loadDesign(session: Session, id: string): Promise<{ design: Design; revision: number }> {
  return readDesign(await getEmailTemplate(session, id))
}

/** A template as it is edited. */
export function readDesign(template: Template): { design: Design; revision: number } {
  const { subject, body, context } = readTemplate(template, 'own')
  const { name, is_public: isPublic, revision } = template
  const document = documentOf(template.design)
  return {
    design: { name, subject, body, document, tags: context, ...(isPublic !== undefined && { isPublic }) },
    revision,
  }
}

/**
 * Creates a template, or updates the one that `saved` names if it still has that revision. A document of a newer version
 * stays as it is.
 */
export async function saveDesign(
  session: Session,
  saved: SavedTemplate | null,
  design: Design,
): Promise<SavedTemplate> {
  const { name, subject, body, document, tags: context, isPublic } = design
  const hasName = saved !== null || name.trim() !== ''
  const isNewer = isNewerDesign(document)
  const kept = saved === null ? { body } : {}
  const content = document === null ? { body } : isNewer ? kept : { design: document }
  const fields = {
    ...(hasName && { name }),
    subject,
    ...content,
    context,
    ...(isPublic !== undefined && { is_public: isPublic }),
  }
  const template =
    saved === null
      ? await createTemplateOnce(session, fields)
      : await updateEmailTemplate(session, saved.id, { ...fields, revision: saved.revision })
  templateList(session).put(template)
  return { id: template.id, revision: template.revision }
}
