import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Design } from '../../../contract/design/design.ts'
import { addressValue, addressVariable, campaignMail, plainMail } from '../../domain/campaigns/campaign-mail.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import type { MessageOptions, NewMessage } from '../../domain/messages/message.ts'
import type { SizedMail } from '../../domain/messages/rendered-size.ts'
import type { TemplateRow } from '../../domain/templates/template.ts'
import { changePreheader, renderDesign, storedDesign } from '../../domain/templates/template-design.ts'
import { designAndBody, modeProblems } from '../templates/template-texts.ts'
import { readHeaders, type SendOptions } from './send-options.ts'

/** Texts of a send call. */
export interface MailInput {
  subject: string
  /** May be undefined where a template or a design provides the body. */
  content: string | undefined
  isHtml: boolean
  context: MergeContext
  isTest?: boolean
  options?: SendOptions
}

interface Surroundings {
  template: TemplateRow | null
  /** Whether each of several recipients gets a mail of their own. */
  isToMany: boolean
  publicUrl: string
  /** Postal address of the workspace. */
  findAddress: () => Promise<string | null>
}

/** A mail as it is accepted. */
export interface ComposedMail extends SizedMail {
  texts: Pick<NewMessage, 'subject' | 'content' | 'isHtml' | 'context' | 'extraHeaders'>
  options: MessageOptions
  /** Whether its footer lacks the postal address. */
  isAddressMissing: boolean
}

/** A body as it is stored, and the design that it was rendered from. */
interface Body {
  content: string
  isHtml: boolean
  design: Design | null
  preheader: string
}

/**
 * The mail of a call, with what its kind requires. Throws `validation`, `design_and_body`, `design_invalid`.
 */
export async function composeMail(input: MailInput, surroundings: Surroundings): Promise<ComposedMail> {
  const { subject, context, isTest = false, options = {} } = input
  const { isToMany, publicUrl, findAddress } = surroundings
  const body = readBody(input, surroundings.template)
  checkTexts(input, body)
  const headers = readHeaders(options)
  const { kind } = options
  const hasHeaders = kind === 'bulk' || (kind === undefined && isToMany)
  const usesAddress = body.content.includes(addressVariable) || subject.includes(addressVariable)
  const postalAddress = kind === 'bulk' || usesAddress ? await findAddress() : null
  const stored = storedOptions(options, headers, body)
  if (kind !== 'bulk' && !hasHeaders && body.design === null && body.preheader === '') {
    const shown = usesAddress ? { [addressVariable]: addressValue(postalAddress), ...context } : context
    const texts = { subject, content: body.content, isHtml: body.isHtml, context: shown }
    return { ...texts, texts, options: stored, isAddressMissing: false }
  }
  const source = { subject, body: body.content, context, design: body.design, preheader: body.preheader }
  const sender = { postalAddress, publicUrl, isTest }
  const build = body.isHtml ? campaignMail : plainMail
  const { textPart, ...mail } = build({ ...source, kind: kind ?? 'transactional' }, sender, hasHeaders)
  // What the caller gives comes first, but in a footer of ours.
  const texts = {
    ...mail,
    isHtml: body.isHtml,
    context: kind === 'bulk' ? mail.context : { ...mail.context, ...context },
  }
  const isAddressMissing = kind === 'bulk' && (postalAddress ?? '').trim() === ''
  return { ...texts, texts, options: { ...stored, ...(textPart !== null && { textPart }) }, isAddressMissing }
}

/** What of the options is kept with the message. */
function storedOptions(
  { kind, scheduledAt, tracking }: SendOptions,
  { fromName, replyTo }: ReturnType<typeof readHeaders>,
  { content, design, preheader }: Body,
): MessageOptions {
  return {
    ...(kind && { kind }),
    ...(tracking && { tracking }),
    ...(fromName !== null && { fromName }),
    ...(replyTo !== null && { replyTo }),
    ...(preheader !== '' && { preheader }),
    ...((scheduledAt ?? null) !== null && { design: design ?? { html: content } }),
  }
}

function readBody({ content, isHtml, options = {} }: MailInput, template: TemplateRow | null): Body {
  const { design, preheader } = options
  if (design !== undefined) {
    if (content !== undefined || template !== null) throw designAndBody('content')
    const { body, design: rendered, preheader: shown } = renderDesign(design, preheader)
    return { content: body, isHtml: true, design: rendered, preheader: shown }
  }
  if (template === null) return { content: content ?? '', isHtml, design: null, preheader: preheader ?? '' }
  if (template.design === null) {
    return { content: template.body, isHtml: true, design: null, preheader: preheader ?? template.preheader }
  }
  const changed = preheader === undefined ? null : changePreheader(template, preheader)
  if (changed !== null) {
    const { body, design: rendered, preheader: shown } = changed
    return { content: body, isHtml: true, design: rendered, preheader: shown }
  }
  const stored = storedDesign(template.design)
  return { content: template.body, isHtml: true, design: stored, preheader: template.preheader }
}

function checkTexts({ subject, context, options = {} }: MailInput, { content, isHtml, design, preheader }: Body): void {
  const items: ValidationItem[] = findMailTextProblems({ subject, content, context }).map(
    ({ path, type, sentence }) => ({ loc: ['body', ...path], msg: sentence, type }),
  )
  if (content.trim() === '') {
    const msg = 'content is missing; send it, or choose a template with template_key'
    items.push({ loc: ['body', 'content'], msg, type: 'missing' })
  }
  const ofPreheader = preheader === '' ? [] : findMailTextProblems({ subject: preheader, content: '', context: {} })
  for (const { type, sentence } of ofPreheader)
    items.push({ loc: ['body', 'preheader'], msg: sentence.replace('The subject', 'The preheader'), type })
  if (preheader !== '' && !isHtml) {
    const msg = 'A plain text has no preheader; send HTML with is_html, or omit preheader'
    items.push({ loc: ['body', 'preheader'], msg, type: 'preheader' })
  }
  items.push(...modeProblems(options.mode, design === null ? 'html' : design.layout === 'letter' ? 'text' : 'design'))
  if (items.length > 0) throw new AppError('validation', { items })
}
