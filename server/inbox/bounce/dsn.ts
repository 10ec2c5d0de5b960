import { linesOf, MailHeaders } from '../mime/headers.ts'
import type { ParsedMail } from '../mime/parse-mail.ts'

/** The fields of one recipient in a delivery status report (RFC 3464). Addresses are in lower case. */
export interface DsnRecipient {
  finalRecipient: string | null
  originalRecipient: string | null
  /** In lower case: failed, delayed, delivered, relayed, expanded. */
  action: string
  status: string
  /** The mail server's words, one line. */
  diagnostic: string
  server: string
}

const recipientsMaxCount = 100

export const statusPattern = /[245]\.\d{1,3}\.\d{1,3}/
export const typePattern = /^\s*[\w-]{1,20}\s*;/
export const addressPattern = /[^\s<>;,"()]{1,64}@[^\s<>;,"()]{1,255}/

const statusTexts = ({ parts }: ParsedMail): string[] =>
  parts
    .filter(({ type }) => type === 'message/delivery-status' || type === 'message/global-delivery-status')
    .map(({ text }) => text)

/** The recipients of a report's `message/delivery-status` part; empty without one. */
export function readDsn(mail: ParsedMail): DsnRecipient[] {
  for (const text of statusTexts(mail)) {
    const recipients = recipientsIn(text)
    if (recipients.length > 0) return recipients
  }
  return []
}

/** A notice for people that the system labelled as a part with fields; an empty text without one. */
export function readMisplacedNotice(mail: ParsedMail): string {
  const notice = statusTexts(mail).find((text) => recipientsIn(text).length === 0) ?? ''
  return notice.replace(/\r\n?/g, '\n').trim()
}

function recipientsIn(text: string): DsnRecipient[] {
  const groups = splitGroups(text)
  const reportingServer = typed(groups[0]?.get('reporting-mta') ?? '')
  return groups
    .filter((group) => group.has('final-recipient') || group.has('original-recipient') || group.has('action'))
    .slice(0, recipientsMaxCount)
    .map((group) => ({
      finalRecipient: addressOf(group.get('final-recipient')),
      originalRecipient: addressOf(group.get('original-recipient')),
      action: /^[a-z]*/i.exec(group.get('action').trim())?.[0].toLowerCase() ?? '',
      status: statusPattern.exec(group.get('status'))?.[0] ?? '',
      diagnostic: typed(group.all('diagnostic-code').join(' ')),
      server: typed(group.get('remote-mta')) || reportingServer,
    }))
}

function splitGroups(text: string): MailHeaders[] {
  const groups: MailHeaders[] = []
  let group = ''
  for (const line of linesOf(text)) {
    if (line.trim() !== '') group += `${line}\n`
    else if (group !== '') {
      groups.push(new MailHeaders(group))
      group = ''
    }
    if (groups.length > recipientsMaxCount) break
  }
  if (group !== '') groups.push(new MailHeaders(group))
  return groups
}

/** The value behind a type, as in `smtp; 550 No such user`. */
function typed(field: string): string {
  const colon = typePattern.exec(field)
  return field
    .slice(colon?.[0].length ?? 0)
    .replace(/\s+/g, ' ')
    .trim()
}

/** The address of a typed field. Exchange writes `rfc822;a@b`, some systems add angle brackets. */
export function addressOf(field: string): string | null {
  const address = addressPattern.exec(typed(field))?.[0]
  return address === undefined ? null : address.replace(/[.:]$/, '').toLowerCase()
}
