import {
  escapeHtml,
  parseTemplate,
  unconditionalVariables,
  unfilledVariables,
  type MergeContext,
} from '../../../contract/mail/merge-variables.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'
import type { Design } from '../../../contract/design/design.ts'
import { isNewerDesign } from '../../../mail-design/migrate.ts'
import { withPreheader } from '../../../mail-design/preheader.ts'
import { renderText } from '../../../mail-design/render-text.ts'
import type { ExtraHeader } from '../messages/message.ts'

/** Variables that every bulk message has without a value of its own. The first differs from recipient to recipient. */
export const unsubscribeVariable = 'unsubscribe_url'
/** The recipient's preference page; differs from recipient to recipient too. */
export const preferencesVariable = 'preferences_url'
export const addressVariable = 'postal_address'
/** Where the links of a campaign lead: kept with its message, for a worker does not know the server's address. */
export const baseVariable = 'unsubscribe_base'
/** Whether the mail is a test, whose links do not unsubscribe. */
export const testVariable = 'unsubscribe_is_test'

/** Header of the one-click unsubscribe (RFC 8058 §3.1). */
export const unsubscribeHeaders: readonly ExtraHeader[] = [
  { name: 'List-Unsubscribe', value: `<{{${unsubscribeVariable}}}>` },
  { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
]

/** What is sent of a message. */
export interface CampaignMail {
  subject: string
  content: string
  /** Template of the text part; null: made from the HTML. */
  textPart: string | null
  context: MergeContext
  extraHeaders: readonly ExtraHeader[]
}

/** A message as it was written. */
export interface MailSource {
  subject: string
  /** HTML; rendered from the design if there is one. */
  body: string
  context: MergeContext
  design?: Design | null
  /** Part of the HTML already if there is a design. Default none. */
  preheader?: string
  /** Default bulk. */
  kind?: MessageKind
}

/** Whose mail it is. */
export interface MailSender {
  postalAddress: string | null
  publicUrl: string
  isTest?: boolean
}

/**
 * A message with what its kind requires: for `bulk` the sender's postal address and a visible link to unsubscribe, each at
 * the foot unless the body shows it by its variable, and the one-click headers. `hasHeaders`: whether the headers are added;
 * default for `bulk` only. Throws MergeSyntaxError where the body cannot be read.
 */
export function campaignMail(
  { subject, body, context, design = null, preheader = '', kind = 'bulk' }: MailSource,
  { postalAddress, publicUrl, isTest = false }: MailSender,
  hasHeaders = kind === 'bulk',
): CampaignMail {
  const address = (postalAddress ?? '').trim()
  const html = design === null ? withPreheader(body, preheader) : body
  // A design of a newer edition is sent as the HTML that was stored with it; the text part is made from that.
  const text = design === null || isNewerDesign(design) ? null : renderText(design)
  const missing = kind === 'bulk' ? missingIn(body) : []
  const isLacking = (variable: string) => missing.includes(variable) && (variable !== addressVariable || address !== '')
  const lines = [
    ...(isLacking(addressVariable) ? [asTemplate(address)] : []),
    ...(isLacking(unsubscribeVariable) ? [`<a href="{{${unsubscribeVariable}}}">Unsubscribe</a>`] : []),
  ]
  const textLines = [
    ...(isLacking(addressVariable) ? [address.replaceAll('{{', '\\{{')] : []),
    ...(isLacking(unsubscribeVariable) ? [`Unsubscribe <{{${unsubscribeVariable}}}>`] : []),
  ]
  return {
    subject,
    content: lines.length === 0 ? html : withFooter(html, lines),
    textPart: text === null || textLines.length === 0 ? text : `${text}\n\n${textLines.join('\n\n')}`,
    context: {
      ...context,
      [addressVariable]: addressValue(address),
      [baseVariable]: publicUrl,
      [testVariable]: isTest,
    },
    extraHeaders: hasHeaders ? unsubscribeHeaders : [],
  }
}

/** A plain text with the footer of its kind; see `campaignMail`. */
export function plainMail(source: MailSource, sender: MailSender, hasHeaders = source.kind === 'bulk'): CampaignMail {
  const mail = campaignMail({ ...source, kind: 'transactional' }, sender, hasHeaders)
  if (source.kind !== 'bulk') return { ...mail, content: source.body }
  const shown = unconditionalVariables(parseTemplate(source.body))
  const address = (sender.postalAddress ?? '').trim().replaceAll('{{', '\\{{')
  const lines = [
    ...(shown.includes(addressVariable) || address === '' ? [] : [address]),
    ...(shown.includes(unsubscribeVariable) ? [] : [`Unsubscribe: {{${unsubscribeVariable}}}`]),
  ]
  return { ...mail, content: [source.body, ...lines].join('\n\n') }
}

/** Of the footer's two variables those that a body does not show. */
function missingIn(body: string): string[] {
  // A comment that never closes goes on to the end, as in every reader of mail: it is looked for once.
  const shown = unconditionalVariables(parseTemplate(body.replaceAll(/<!--[^]*?(?:-->|$)/g, '')))
  return [addressVariable, unsubscribeVariable].filter((name) => !shown.includes(name))
}

/** Merge variables of a campaign that its context leaves empty; a recipient's own context may fill them. */
export function unfilledOf({
  subject,
  body,
  context,
}: {
  subject: string
  body: string
  context: MergeContext
}): string[] {
  const own = { [unsubscribeVariable]: '', [preferencesVariable]: '', [addressVariable]: '', [baseVariable]: '' }
  return unfilledVariables([...parseTemplate(subject), ...parseTemplate(body)], { ...context, ...own })
}

function withFooter(body: string, lines: readonly string[]): string {
  const style = 'margin:32px 0 0;font:13px/1.5 Arial,Helvetica,sans-serif;color:#595959;text-align:center'
  const footer = `<div style="${style}">${lines.map((line) => `<p style="margin:0 0 8px">${line}</p>`).join('')}</div>`
  const end = body.toLowerCase().lastIndexOf('</body>')
  return end < 0 ? `${body}\n${footer}` : `${body.slice(0, end)}${footer}\n${body.slice(end)}`
}

/** What `postal_address` is filled with: the address in one line; empty without one. */
export const addressValue = (postalAddress: string | null) => inOneLine(postalAddress ?? '')

/** Lines as one, those of blanks left out. */
function inOneLine(address: string): string {
  const lines = address.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(', ')
}

/** Text as HTML that holds no variable, its lines kept. */
function asTemplate(text: string): string {
  return escapeHtml(text).replaceAll('{{', '\\{{').replaceAll(/\r?\n/g, '<br>')
}
