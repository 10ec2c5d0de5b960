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

/** The recipients of a report's `message/delivery-status` part; empty without one. */
export function readDsn({ parts }: ParsedMail): DsnRecipient[] {
  const part = parts.find(({ type }) => type === 'message/delivery-status' || type === 'message/global-delivery-status')
  if (part === undefined) return []
  const groups = splitGroups(part.text)
  const reportingServer = typed(groups[0]?.get('reporting-mta') ?? '')
  return groups
    .filter((group) => group.has('final-recipient') || group.has('original-recipient') || group.has('action'))
    .slice(0, recipientsMaxCount)
    .map((group) => ({
      finalRecipient: addressOf(group.get('final-recipient')),
      originalRecipient: addressOf(group.get('original-recipient')),
      action: /^[a-z]*/i.exec(group.get('action').trim())?.[0].toLowerCase() ?? '',
      status: /[245]\.\d{1,3}\.\d{1,3}/.exec(group.get('status'))?.[0] ?? '',
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
  const colon = /^\s*[\w-]{1,20}\s*;/.exec(field)
  return field
    .slice(colon?.[0].length ?? 0)
    .replace(/\s+/g, ' ')
    .trim()
}

/** The address of a typed field. Exchange writes `rfc822;a@b`, some systems add angle brackets. */
export function addressOf(field: string): string | null {
  const address = /[^\s<>;,"()]{1,64}@[^\s<>;,"()]{1,255}/.exec(typed(field))?.[0]
  return address === undefined ? null : address.replace(/[.:]$/, '').toLowerCase()
}
