import { AppError, errors, type ValidationItem } from '../../../contract/core/errors.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import {
  changePreheader,
  renderDesign,
  type StoredDesign,
  type Writing,
} from '../../domain/templates/template-design.ts'
import { cleanTags, type TemplateRow } from '../../domain/templates/template.ts'

/** Editable content of a template as a caller sends it: a design or a body. */
export interface TemplateTexts extends Partial<Pick<TemplateRow, 'name' | 'subject' | 'tags' | 'isPublic'>> {
  body?: string
  design?: unknown
  mode?: TemplateMode
  preheader?: string
}

/** What a save writes; a field that is absent stays as it is. */
export type TemplateChange = Partial<Writing> & Partial<Pick<TemplateRow, 'name' | 'subject' | 'tags' | 'isPublic'>>

/**
 * The change that texts make. `current`: what the template has, whose design a new preheader is written into.
 * Throws `validation` for texts that no mail can contain and for a blank subject or body, `design_and_body`,
 * `design_invalid`.
 */
export function readTexts(texts: TemplateTexts, current: StoredDesign | null = null): TemplateChange {
  const { design, body, mode, preheader, ...others } = texts
  if (design !== undefined && body !== undefined) throw designAndBody()
  const writing = readWriting(texts, current)
  const tags = texts.tags && cleanTags(texts.tags)
  const problems = findMailTextProblems({
    subject: texts.subject ?? 'x',
    content: writing.body ?? 'x',
    context: Object.fromEntries((tags ?? []).map((tag) => [tag, ''])),
  })
  const items: ValidationItem[] = problems.map(({ path, type, sentence }) => ({
    loc: ['body', ...path.map((part, index) => (index === 0 && part === 'content' ? 'body' : part))],
    msg: sentence,
    type,
  }))
  items.push(...lineProblems('preheader', preheader), ...lineProblems('name', texts.name))
  if (texts.subject?.trim() === '') items.push(missing('subject', 'Please enter a subject'))
  if (body?.trim() === '') items.push(missing('body', 'Please enter a template body'))
  items.push(...modeProblems(mode, writing.mode))
  if (items.length > 0) throw new AppError('validation', { items })
  const name = texts.name?.trim()
  return { ...others, ...writing, ...(name !== undefined && { name }), ...(tags && { tags }) }
}

/** The writing of a design or a body; `current`: what a new preheader alone is written into. Throws `design_invalid`. */
export function readWriting(
  { design, body, preheader }: Pick<TemplateTexts, 'design' | 'body' | 'preheader'>,
  current: StoredDesign | null,
): Partial<Writing> {
  if (design !== undefined) return renderDesign(design, preheader)
  if (body !== undefined) return { mode: 'html', design: null, body, ...(preheader !== undefined && { preheader }) }
  if (preheader === undefined) return {}
  if (current === null || current.design === null) return { preheader }
  return changePreheader(current, preheader) ?? {}
}

/** What no line of text can contain: line breaks, and characters that cannot be stored. */
export function lineProblems(field: string, text = ''): ValidationItem[] {
  const problems = findMailTextProblems({ subject: '', content: '', context: { [text]: '' } })
  const sentences = problems.map(({ sentence }) => sentence)
  if (/[\r\n]/.test(text)) sentences.push('This has a line break; write it on one line.')
  return sentences.map((msg) => ({ loc: ['body', field], msg, type: 'character' }))
}

/** A mode must be the one that follows from the design or body beside it. */
export function modeProblems(given: TemplateMode | undefined, actual: TemplateMode | undefined): ValidationItem[] {
  if (given === undefined || given === actual) return []
  const msg = actual === undefined ? 'Send the mode with its design or body.' : `Its mode is ${actual}.`
  return [{ loc: ['body', 'mode'], msg, type: 'mode' }]
}

export const missing = (field: string, msg: string): ValidationItem => ({ loc: ['body', field], msg, type: 'missing' })

/** `field`: the name of the body in the call. */
export function designAndBody(field = 'body'): AppError {
  const items = [{ loc: ['body', field], msg: errors.design_and_body.sentence, type: 'design_and_body' }]
  return new AppError('design_and_body', { items })
}
