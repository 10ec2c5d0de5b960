import { isAutoReply } from './auto-reply.ts'
import { readMailbox, readParameters, type MailHeaders } from './mime/headers.ts'
import { findOurIds } from './match-keys.ts'

/** The header fields of step one, which are read of every mail. */
export const firstHeaders = [
  'from',
  'to',
  'cc',
  'reply-to',
  'subject',
  'message-id',
  'date',
  'in-reply-to',
  'references',
  'content-type',
  'auto-submitted',
  'return-path',
  'list-id',
  'precedence',
  'x-autoreply',
  'x-autorespond',
  'x-autoreply-from',
  'x-mailer',
  'x-auto-response-suppress',
  'x-failed-recipients',
  'authentication-results',
  'x-sendwright-id',
  'x-loop',
] as const

/** What a mail may be by its header alone. */
export type Candidate = 'none' | 'own' | 'feedback' | 'bounce' | 'auto_reply' | 'answer'

const bounceSenders =
  /^(?:mailer-daemon|mail-daemon|mail\.delivery\.system|post_?master|microsoftexchange[0-9a-f]+|mdaemon|bounce|mailerdaemon)@/
const bounceSubjects =
  /(?:undeliver|non-?delivery|delivery (?:status|failure|failed|notification|report)|returned mail|mail delivery|failure notice|delivery has failed|unzustellbar|nicht zustellbar|non remis|non distribu|no se (?:puede|pudo) entregar|mancata consegna|não entregue|onbestelbaar|niet-bestelbaar|niedostarczon|kunde inte levereras|ikke leveres|toimitus epäonnistui|nedoručiteln|не доставлено|недоставлен|メールエラー|配信(?:できません|不能))/i
const failureFirst = new RegExp(
  String.raw`^[\[(*\s]{0,6}(?:(?:e-?mail|mail|message|your (?:e-?mail|mail|message)) )?${bounceSubjects.source}`,
  'i',
)
/** Names of senders that write no address, or one of their own. */
const bounceNames =
  /^<?"?(?:mailer-daemon|postmaster|(?:system|mail) administrator|mail deliver[ys]* (?:system|subsystem|service))\b/i

/** Step one: decides by header fields which mails are read further. `ownAddresses`: of the workspace, in lower case. */
export function classifyHeaders(
  headers: MailHeaders,
  { role, ownAddresses }: { role: 'inbox' | 'junk' | 'sent'; ownAddresses: ReadonlySet<string> },
): Candidate {
  const from = readMailbox(headers.get('from'))
  if (role === 'sent') return 'own'
  const type = readParameters(headers.get('content-type'))
  const reportType = (type.parameters['report-type'] ?? '').toLowerCase()
  if (from !== null && ownAddresses.has(from.address) && reportType === '') return 'own'
  const hasOurId = findOurIds(`${headers.get('in-reply-to')} ${headers.get('references')}`).length > 0
  const isReport = reportType === 'delivery-status' || (type.value === 'multipart/report' && reportType === '')
  // A mailing list may pass a bounce on to the address that its members' mails come from.
  if (isReport || isOfMailSystem(headers, from?.address ?? '')) return 'bounce'
  if (!hasOurId && headers.has('list-id')) return 'none'
  if (reportType === 'feedback-report') return 'feedback'
  if (isBounce(headers, hasOurId)) return 'bounce'
  if (isAutoReply(headers)) return 'auto_reply'
  if (!hasOurId && /^(?:bulk|list|junk)$/i.test(headers.get('precedence').trim())) return 'none'
  return 'answer'
}

/** Whether the sender, or a field that only mail systems write, is that of a mail system. */
export function isOfMailSystem(headers: MailHeaders, from: string): boolean {
  if (headers.has('x-failed-recipients')) return true
  const sender = headers.get('from').trim()
  return bounceSenders.test(from) || bounceNames.test(sender) || /<\s*>$/.test(sender)
}

function isBounce(headers: MailHeaders, hasOurId: boolean): boolean {
  const subject = headers.decoded('subject').trim()
  const isByServer = isNullReturnPath(headers) || /^<?mailer-daemon\b/i.test(headers.get('return-path').trim())
  // Gateways send under any name: the subject begins with the failure, and the mail answers none of ours.
  if (!isByServer) return !hasOurId && !headers.has('in-reply-to') && failureFirst.test(subject)
  // Vacation programs send with the null return path too (RFC 3834).
  return bounceSubjects.test(subject) || !isAutoReply(headers)
}

/** Whether the mail came with the null return path, which only servers send. */
export function isNullReturnPath(headers: MailHeaders): boolean {
  return headers.has('return-path') && /^<\s*>$/.test(headers.get('return-path').trim())
}

/** Whether the mailbox provider's own check of SPF or DKIM passed. Only the topmost field is its own. */
export function isAuthenticated(headers: MailHeaders): boolean {
  return /\b(?:spf|dkim|dmarc)=pass\b/i.test(headers.all('authentication-results')[0] ?? '')
}
