import {
  escapeHtml,
  parseTemplate,
  unconditionalVariables,
  unfilledVariables,
  type MergeContext,
} from '../../../contract/mail/merge-variables.ts'
import type { ExtraHeader } from '../messages/message.ts'

/** Variables that every campaign has without saying so. The first differs from recipient to recipient. */
export const unsubscribeVariable = 'unsubscribe_url'
export const addressVariable = 'postal_address'
/** Where the links of a campaign lead: kept with its message, for a worker does not know the server's address. */
export const baseVariable = 'unsubscribe_base'
/** Whether the mail is a test, whose links do not unsubscribe. */
export const testVariable = 'unsubscribe_is_test'

/** Header of the one-click unsubscribe (RFC 8058 §3.1). */
const unsubscribeHeaders: readonly ExtraHeader[] = [
  { name: 'List-Unsubscribe', value: `<{{${unsubscribeVariable}}}>` },
  { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
]

/** What is sent of a campaign. */
export interface CampaignMail {
  subject: string
  content: string
  context: MergeContext
  extraHeaders: readonly ExtraHeader[]
}

/**
 * A campaign's texts with what the law and mailbox providers ask of mail to many: the sender's postal address and a visible
 * link to unsubscribe, each at the foot unless the body shows it by its variable, and the one-click headers.
 * Throws MergeSyntaxError where the body cannot be read.
 */
export function campaignMail(
  { subject, body, context }: { subject: string; body: string; context: MergeContext },
  { postalAddress, publicUrl, isTest = false }: { postalAddress: string | null; publicUrl: string; isTest?: boolean },
): CampaignMail {
  // A comment that never closes goes on to the end, as in every reader of mail: it is looked for once.
  const shown = unconditionalVariables(parseTemplate(body.replaceAll(/<!--[^]*?(?:-->|$)/g, '')))
  const address = (postalAddress ?? '').trim()
  const lines = [
    ...(shown.includes(addressVariable) || address === '' ? [] : [asTemplate(address)]),
    ...(shown.includes(unsubscribeVariable) ? [] : [`<a href="{{${unsubscribeVariable}}}">Unsubscribe</a>`]),
  ]
  return {
    subject,
    content: lines.length === 0 ? body : withFooter(body, lines),
    context: {
      ...context,
      [addressVariable]: addressValue(address),
      [baseVariable]: publicUrl,
      [testVariable]: isTest,
    },
    extraHeaders: unsubscribeHeaders,
  }
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
  const own = { [unsubscribeVariable]: '', [addressVariable]: '', [baseVariable]: '' }
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
