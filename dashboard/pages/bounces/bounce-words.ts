import type { BounceAction, ReasonOf } from '../../../contract/inbox/bounce-reason.ts'

const words: { readonly [Action in BounceAction]: Readonly<Record<ReasonOf<Action>, string>> } = {
  dead: {
    user_unknown: 'No such address',
    host_unknown: 'No such domain',
    has_moved: 'The address has moved',
    mailbox_suspended: 'Mailbox suspended',
    mailbox_disabled: 'Mailbox disabled',
    domain_not_accepting: 'The domain accepts no mail',
  },
  waiting: {
    mailbox_full: 'Mailbox full',
    system_full: 'The receiving server is full',
    expired: 'No delivery in time',
    network_error: 'Network error',
    system_error: 'Error of the receiving server',
    mailer_error: 'Error of the receiving server',
    temporarily_unavailable: 'Receiving server not available',
    greylisted: 'Greylisted',
    recipient_rate_limited: 'Too many mails to this address',
    on_hold: 'Held by the receiving server',
    dns_error: 'DNS error',
    tls_failed: 'Encryption failed',
  },
  mail: {
    message_too_large: 'Mail too large',
    content_refused: 'Content refused',
    virus_detected: 'Virus found in the mail',
    attachment_refused: 'Attachment refused',
    syntax_error: 'Mail refused by its form',
    not_standard_conforming: 'Mail refused by its form',
    loop_detected: 'Mail loop',
  },
  sender: {
    spam_detected: 'Refused as spam',
    bad_reputation: 'Sender with a bad reputation',
    auth_failed: 'Sender not authenticated',
    blocked: 'Sender blocked',
    rate_limited: 'Too many mails from this mailbox',
    too_many_connections: 'Too many connections',
    policy_refused: 'Refused by a policy',
    relaying_denied: 'Relaying refused',
    reverse_dns_missing: 'Server without reverse DNS',
  },
}

const wordsByReason: Readonly<Record<string, string>> = {
  ...words.dead,
  ...words.waiting,
  ...words.mail,
  ...words.sender,
}

/** Why a mail bounced, in words; undefined for a text that is no reason. */
export function findReasonWords(reason: string): string | undefined {
  return wordsByReason[reason]
}

/** Why a mail bounced, in words. */
export function reasonWords(reason: string): string {
  return findReasonWords(reason) ?? 'Reason not given'
}

/** Whether a reason may end: the address is not suppressed at once. */
export function isWaiting(reason: string): boolean {
  return reason === 'undefined' || Object.hasOwn(words.waiting, reason)
}
