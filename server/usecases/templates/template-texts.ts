import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import { cleanTags, type TemplateRow } from '../../domain/templates/template.ts'

/** Editable content of a template. */
export type TemplateTexts = Pick<TemplateRow, 'subject' | 'body' | 'tags'> &
  Partial<Pick<TemplateRow, 'name' | 'isPublic'>>

/** Throws `validation` for texts that no mail can contain and for a blank subject or body. */
export function readTexts(texts: Partial<TemplateTexts>): Partial<TemplateTexts> {
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
