import { actionOf, type BounceReason } from '../../../contract/inbox/bounce-reason.ts'
import { phrases, weakUnknown } from './phrases.ts'

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
const temporaryCode = /(?:^|[\s(<#:;])4\d\d[ -](?:#?4\.\d{1,3}\.\d{1,3})?|(?:^|[\s(<#])4\.\d{1,3}\.\d{1,3}\b/
const permanentStatus = /(?:^|[\s(<#:;=-])5\.(\d{1,3}\.\d{1,3})\b/
const anyStatus = /(?:^|[\s(<#:;=-])([245]\.\d{1,3}\.\d{1,3})\b/

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
  const text = words.slice(0, textMaxChars).toLowerCase()
  const inText = permanentStatus.exec(text)?.[1] ?? ''
  const field = status.startsWith('5.') ? status.slice(2) : ''
  const first = phrases.find(([, pattern]) => pattern.test(text))?.[0]
  const isPolicy = inText.startsWith('7.') || (inText === '' && field.startsWith('7.'))
  const written = first === weakUnknown ? (isPolicy ? 'policy_refused' : 'user_unknown') : first
  // The words of the receiving server are more exact than a field that the reporting server filled in.
  for (const detail of [inText, field]) {
    const known = exact[detail]
    if (known !== undefined && !(misused.has(detail) && written !== undefined && isClearer(written)))
      return softened(known, text)
  }
  if (written !== undefined) return softened(written, text)
  return vague[inText] ?? vague[field] ?? smtpReason(text)
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
    reason === 'user_unknown'
  )
}

/** In doubt a failure is temporary: a dead address needs words or status of class 5 and none of class 4. */
function softened(reason: BounceReason, text: string): BounceReason {
  if (actionOf(reason) !== 'dead') return reason
  return temporaryCode.test(text) ? 'temporarily_unavailable' : reason
}

function smtpReason(text: string): BounceReason {
  if (/(?:^|\s)552[ -]/.test(text)) return 'mailbox_full'
  if (/(?:^|\s)554[ -]/.test(text)) return 'content_refused'
  // The server took the addresses and refused what it read.
  if (/\b(?:in reply to|after) (?:the )?end of data\b/.test(text)) return 'content_refused'
  return 'undefined'
}
