import { AppError } from '../../../contract/core/errors.ts'
import { templatesMaxCount } from '../../../contract/mail/template.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { templateKey, type TemplateRow } from '../../domain/templates/template.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import { missing, readTexts, type TemplateTexts } from './template-texts.ts'

interface Ports {
  templates: Pick<TemplateStore, 'create' | 'find' | 'count'>
  newId: () => string
}

const blank = { name: '', tags: [], isPublic: false, design: null, preheader: '' }

/**
 * Creates a template with a key of its own; once for each `resourceId`.
 * Throws `validation`, `design_and_body`, `design_invalid`, `templates_full`, `template_not_found` for a `resourceId` that was created and deleted.
 */
export function createCreateTemplate(ports: Ports) {
  return async (
    scope: Scope,
    texts: TemplateTexts & { subject: string },
    createdBy: string | null,
    resourceId: string | null = null,
  ): Promise<TemplateRow> => {
    const { body, mode = 'html', ...read } = readTexts(texts)
    if (body === undefined)
      throw new AppError('validation', { items: [missing('body', 'Please enter a template body')] })
    const made = resourceId === null ? null : await ports.templates.find(scope, resourceId)
    if (made !== null) return made
    if ((await ports.templates.count(scope)) >= templatesMaxCount) throw new AppError('templates_full')
    const id = resourceId ?? ports.newId()
    const key = templateKey(texts.subject, id)
    const created = await ports.templates.create(
      scope,
      { ...blank, ...read, subject: texts.subject, body, mode, id, key },
      createdBy,
    )
    if (created !== null) return created
    const other = await ports.templates.find(scope, id)
    if (other === null) throw new AppError('template_not_found')
    return other
  }
}
