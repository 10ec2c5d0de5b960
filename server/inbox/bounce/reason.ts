import { actionOf, type BounceReason } from '../../../contract/inbox/bounce-reason.ts'
import { negatedRecipient, phrases, weakUnknown } from './phrases.ts'

/** Enhanced status codes whose meaning is exact (RFC 3463, RFC 7505, RFC 7372, Microsoft and Google help pages). */
const exact: Readonly<Record<string, BounceReason>> = {
  '1.1': 'user_unknown',
  '1.2': 'host_unknown',
  '1.3': 'user_unknown',
  '1.6': 'has_moved',
  '1.10': 'domain_not_accepting',
  '2.1': 'mailbox_disabled',
  '2.2': 'mailbox_full',
  '2.3': 'message_too_large',
  '3.1': 'system_full',
  '3.4': 'message_too_large',
  '4.3': 'dns_error',
  '4.6': 'loop_detected',
  '4.7': 'expired',
  '4.14': 'loop_detected',
  '5.2': 'syntax_error',
  '7.20': 'auth_failed',
  '7.21': 'auth_failed',
  '7.22': 'auth_failed',
  '7.23': 'auth_failed',
  '7.24': 'auth_failed',
  '7.25': 'reverse_dns_missing',
  '7.26': 'auth_failed',
  '7.27': 'auth_failed',
  '7.28': 'rate_limited',
  '7.30': 'auth_failed',
}

/** What a status means if the text gives no other reason. */
const vague: Readonly<Record<string, BounceReason>> = {
  '1.4': 'undefined',
  '1.7': 'auth_failed',
  '1.8': 'auth_failed',
  '2.4': 'system_error',
  '3.0': 'system_error',
  '3.2': 'system_error',
  '3.3': 'system_error',
  '3.5': 'system_error',
  '4.0': 'network_error',
  '4.1': 'network_error',
  '4.2': 'network_error',
  '4.4': 'host_unknown',
  '4.5': 'temporarily_unavailable',
  '5.0': 'syntax_error',
  '5.1': 'syntax_error',
  '5.3': 'rate_limited',
  '5.4': 'syntax_error',
  '5.5': 'not_standard_conforming',
  '6.0': 'content_refused',
  '6.1': 'content_refused',
  '6.2': 'content_refused',
  '6.3': 'not_standard_conforming',
  '6.5': 'not_standard_conforming',
  '7.0': 'policy_refused',
  '7.1': 'policy_refused',
  '7.2': 'policy_refused',
  '7.3': 'policy_refused',
  '7.5': 'tls_failed',
  '7.7': 'content_refused',
}

/** Statuses that many servers send for anything: the words decide before them. */
const misused = new Set(['1.1', '1.2', '1.10', '2.1', '2.3', '4.4', '4.7'])

const textMaxChars = 2000
const temporaryCode = /(?:^|[\s(<#:;])4\d\d[ -]|(?:^|[\s(<#])4\.\d{1,3}\.\d{1,3}(?![.\d]*\d)/
const permanentStatus = /(?:^|[\s(<#:;=-])5\.(\d{1,3}\.\d{1,3})(?![.\d]*\d)/
const anyStatus = /(?:^|[\s(<#:;=-])([45]\.\d{1,3}\.\d{1,3})(?![.\d]*\d)/

/** The enhanced status of a text; an empty text without one. */
export function findStatus(text: string): string {
  return anyStatus.exec(text.slice(0, textMaxChars))?.[1] ?? ''
}

/** Whether the codes in the text are those of a temporary failure. */
export function isTemporaryText(text: string): boolean {
  const start = text.slice(0, textMaxChars)
  return temporaryCode.test(start) && !permanentStatus.test(start) && !/(?:^|\s)5\d\d[ -]/.test(start)
}

/** The reason of a permanent failure, from the status field and the mail server's words. */
export function reasonOf(status: string, words: string): BounceReason {
  const text = withoutNames(words.slice(0, textMaxChars).toLowerCase())
  const inText = permanentStatus.exec(text)?.[1] ?? ''
  const field = status.startsWith('5.') ? status.slice(2) : ''
  const answer = behindCode(text)
  const first =
    (answer === null ? undefined : firstPhrase(answer)) ?? firstPhrase(text, (reason) => reason !== negatedRecipient)
  const isPolicy = inText.startsWith('7.') || (inText === '' && field.startsWith('7.'))
  const isWeak = first === weakUnknown || first === negatedRecipient
  const written = isWeak ? (isPolicy ? 'policy_refused' : 'user_unknown') : first
  // The words of the receiving server are more exact than a field that the reporting server filled in.
  for (const detail of [inText, field]) {
    const known = exact[detail]
    if (known !== undefined && !(misused.has(detail) && written !== undefined && isClearer(written)))
      return softened(known, text)
  }
  if (written !== undefined) return softened(written, text)
  return vague[inText] ?? vague[field] ?? smtpReason(text)
}

const firstPhrase = (text: string, isRead: (reason: (typeof phrases)[number][0]) => boolean = () => true) =>
  phrases.find(([reason, pattern]) => isRead(reason) && pattern.test(text))?.[0]

/** The receiving server's own words: the words before its reply code are those of the reporting system. */
function behindCode(text: string): string | null {
  const code = /(?:^|[\s:;(<])[45]\d\d[ -]/.exec(text)
  return code === null ? null : text.slice(code.index)
}

/** Addresses and names of hosts hold any words: nospam@…, spam-filter.… */
function withoutNames(text: string): string {
  return text
    .replace(/[\w%+=#-]{1,64}(?:\.[\w%+=-]{1,64}){0,8}@[\w.#-]{1,253}/g, '@')
    .replace(/giving up on \S{1,255}|does not like recipient/g, '')
    .replaceAll('_', ' ')
    .replace(/\bhost \S{1,255} ?\[[0-9a-f.:]{3,45}\](?::\d{1,5})?/g, '')
}

/** Words that contradict a misused status: they name the sender, the mail or a full mailbox. */
function isClearer(reason: BounceReason): boolean {
  const action = actionOf(reason)
  return (
    action === 'sender' ||
    reason === 'mailbox_full' ||
    reason === 'message_too_large' ||
    reason === 'mailbox_disabled' ||
    reason === 'mailbox_suspended' ||
    reason === 'host_unknown' ||
    reason === 'domain_not_accepting' ||
    reason === 'virus_detected' ||
    reason === 'user_unknown' ||
    reason === 'greylisted' ||
    reason === 'recipient_rate_limited'
  )
}

const laterWords =
  /temporar|at (?:this|the) (?:time|moment)|right now|for the moment|(?:try|retry) (?:again |it )?later|(?:try|retry)(?: again)? in \d|gr[ae]y-?list/

/** In doubt a failure is temporary: a dead address needs words or status of class 5 and none of class 4. */
function softened(reason: BounceReason, text: string): BounceReason {
  if (actionOf(reason) !== 'dead') return reason
  const isTemporary = temporaryCode.test(text) || laterWords.test(text)
  if (isTemporary) return 'temporarily_unavailable'
  // Resolvers say so of a name whose server did not answer.
  return reason === 'host_unknown' && /try again|timed? ?out|servfail/.test(text) ? 'dns_error' : reason
}

function smtpReason(text: string): BounceReason {
  if (/(?:^|\s)552[ -]/.test(text)) return 'mailbox_full'
  if (/(?:^|\s)554[ -]/.test(text)) return 'content_refused'
  // The server took the addresses and refused what it read.
  if (/\b(?:in reply to|after) (?:the )?end of data\b/.test(text)) return 'content_refused'
  return 'undefined'
}
