import { actionOf, type BounceAction, type BounceReason } from '../../../contract/inbox/bounce-reason.ts'

/** What a permanent refusal during the SMTP conversation says, in the form of a bounce. */
export interface SmtpBounce {
  reason: BounceReason
  action: BounceAction
  words: string
  status?: string
}

const wordsMaxLength = 1000

const reasonsByStatus: Readonly<Record<string, BounceReason>> = {
  '5.1.1': 'user_unknown',
  '5.1.10': 'user_unknown',
  '5.1.2': 'host_unknown',
  '5.1.3': 'syntax_error',
  '5.1.6': 'has_moved',
  '5.2.1': 'mailbox_disabled',
  '5.2.2': 'mailbox_full',
  '5.2.3': 'message_too_large',
  '5.3.1': 'system_full',
  '5.3.4': 'message_too_large',
  '5.4.4': 'host_unknown',
  '5.4.6': 'loop_detected',
  '5.4.14': 'loop_detected',
  '5.6.0': 'content_refused',
  '5.7.9': 'auth_failed',
  '5.7.20': 'auth_failed',
  '5.7.23': 'auth_failed',
  '5.7.25': 'reverse_dns_missing',
  '5.7.26': 'auth_failed',
  '5.7.27': 'auth_failed',
  '5.7.28': 'rate_limited',
}

/** Tried in order where the status says nothing. */
const reasonsByWords: readonly (readonly [RegExp, BounceReason])[] = [
  [/\bvirus\b|\bmalware\b/i, 'virus_detected'],
  [/\bspam\b|\bunsolicited\b|\bjunk\b/i, 'spam_detected'],
  [/\breputation\b|\bblacklist|\bblocklist|\bblock list\b|spamhaus/i, 'bad_reputation'],
  [/\bspf\b|\bdkim\b|\bdmarc\b|not authenticated/i, 'auth_failed'],
  [/\brelay/i, 'relaying_denied'],
  [/attachment/i, 'attachment_refused'],
  [/\bquota\b|mailbox (?:is )?full|over quota/i, 'mailbox_full'],
  [/too (?:large|big)|size limit/i, 'message_too_large'],
  [/suspended/i, 'mailbox_suspended'],
  [/disabled|inactive|deactivated/i, 'mailbox_disabled'],
  [
    /(?:user|recipient|address|mailbox|account) (?:is )?(?:unknown|not found|invalid)|no such (?:user|recipient|mailbox|address)|unknown user|does not exist|doesn't exist/i,
    'user_unknown',
  ],
  [/\bpolicy\b|not allowed|access denied/i, 'policy_refused'],
]

/** Reads a reply that begins with its code, such as `550 5.1.1 No such user`. */
export function bounceOfReply(reply: string): SmtpBounce {
  const words = reply.slice(0, wordsMaxLength)
  const status = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1]
  const reason =
    reasonsByStatus[status ?? ''] ?? reasonsByWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'undefined'
  return { reason, action: actionOf(reason), words, ...(status !== undefined && { status }) }
}
