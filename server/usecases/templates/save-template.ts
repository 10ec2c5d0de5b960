import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { templatesMaxCount } from '../../../contract/mail/template.limits.ts'
import { isRowId } from '../../domain/core/id.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import { cleanTags, templateKey, type TemplateRow } from '../../domain/templates/template.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { TemplateStore } from '../../store/templates/template.ts'

/** Editable content of a template. */
export type TemplateTexts = Pick<TemplateRow, 'subject' | 'body' | 'tags'> &
  Partial<Pick<TemplateRow, 'name' | 'isPublic'>>

interface Ports {
  templates: Pick<TemplateStore, 'create' | 'find' | 'count' | 'update'>
  newId: () => string
}

/**
 * Creates a template with a key of its own; once for each `resourceId`.
 * Throws `validation`, `templates_full`, `template_not_found` for a `resourceId` that was created and deleted.
 */
export function createCreateTemplate(ports: Ports) {
  return async (scope: Scope, texts: TemplateTexts, resourceId: string | null = null): Promise<TemplateRow> => {
    const cleaned = readTexts(texts)
    const made = resourceId === null ? null : await ports.templates.find(scope, resourceId)
    if (made !== null) return made
    if ((await ports.templates.count(scope)) >= templatesMaxCount) throw new AppError('templates_full')
    const id = resourceId ?? ports.newId()
    const key = templateKey(texts.subject, id)
    const created = await ports.templates.create(scope, { ...texts, ...cleaned, id, key })
    if (created !== null) return created
    const other = await ports.templates.find(scope, id)
    if (other === null) throw new AppError('template_not_found')
    return other
  }
}

/** Changes what is given. Throws `validation`, `template_not_found`. */
export function createUpdateTemplate(ports: Pick<Ports, 'templates'>) {
  return async (scope: Scope, id: string, changes: Partial<TemplateTexts>): Promise<TemplateRow> => {
    const cleaned = readTexts(changes)
    const template = isRowId(id) ? await ports.templates.update(scope, id, cleaned) : null
    if (template === null) throw new AppError('template_not_found')
    return template
  }
}

/** Refuses what no mail can carry, and subjects and bodies of blanks. */
function readTexts(texts: Partial<TemplateTexts>): Partial<TemplateTexts> {
  const { subject = 'x', body = 'x' } = texts
  const tags = texts.tags && cleanTags(texts.tags)
  const problems = findMailTextProblems({
    subject,
    content: body,
    context: Object.fromEntries((tags ?? []).map((tag) => [tag, ''])),
  })
  const items: ValidationItem[] = problems.map(({ path, type, sentence }) => ({
    loc: ['body', ...path.map((part, index) => (index === 0 && part === 'content' ? 'body' : part))],
    msg: sentence,
    type,
  }))
  if (subject.trim() === '') items.push({ loc: ['body', 'subject'], msg: 'Please enter a subject', type: 'missing' })
  if (body.trim() === '') items.push({ loc: ['body', 'body'], msg: 'Please enter a template body', type: 'missing' })
  if (items.length > 0) throw new AppError('validation', { items })
  const name = texts.name?.trim()
  return { ...texts, ...(name !== undefined && { name }), ...(tags && { tags }) }
}
