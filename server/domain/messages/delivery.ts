import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { ExtraHeader } from './message.ts'

/** A mailbox and its workspace. */
export interface MailboxKey {
  workspaceId: string
  mailboxId: string
}

/** A campaign and its workspace. */
export interface CampaignKey {
  workspaceId: string
  campaignId: string
}

/** A mailbox with due deliveries; `limits`: its owner's limits, serialized for comparison. */
export interface DueMailbox extends MailboxKey {
  limits: string
}

/** An address that a mail server reported as nonexistent. */
export interface DeadAddress extends MailboxKey {
  address: string
  reply: string
}

/** One recipient's row while a sender holds it. */
export interface ClaimedDelivery {
  workspaceId: string
  /** First day of the month it was accepted in, `YYYY-MM-DD`; with the workspace and the id it is the row's key. */
  month: string
  id: number
  messageId: string
  mailboxId: string
  /** Null for what a send call accepted. */
  campaignId: string | null
  recipient: string
  /** What this recipient has of its own, over the message's context. */
  context: MergeContext | null
  /** Attempts before this claim. */
  attempts: number
}

/** A row in state `sending`, of any process; `token` is the fencing token of its claim. */
export interface LeasedDelivery {
  workspaceId: string
  month: string
  id: number
  messageId: string
  mailboxId: string
  recipient: string
  token: string
  attempts: number
}

/** Messages that a mailbox may hand in, within a minute and within rolling 24 hours; null: no limit. */
export interface Quota {
  perMinuteCount: number | null
  perDayCount: number | null
}

/** A claim to be made: by whom, under which fencing token, for how many rows of which mailbox. */
export interface Claim {
  workspaceId: string
  mailboxId: string
  owner: string
  token: string
  limit: number
  /** What counts where the mailbox has no limits of its own. */
  limits: Quota
  /** Whether it is known to have a quota. If it has one and this is false, nothing is claimed, and the answer says so. */
  isLimited: boolean
}

/** What settling and claiming gave. */
export interface ClaimResult {
  /** Messages whose rows changed by settling, each once. */
  messageIds: string[]
  rows: ClaimedDelivery[]
  /** Whether the mailbox has a quota. */
  isLimited: boolean
  /** How long its quota gives nothing more; null while it gives something, or has none. */
  waitMs: number | null
}

/** How a held row is let go. */
export interface DeliveryOutcome {
  workspaceId: string
  month: string
  id: number
  token: string
  state: 'queued' | 'sent' | 'deferred' | 'failed' | 'suppressed' | 'unknown'
  /** The mail server's reply, code first; null keeps the stored one. */
  reply: string | null
  /** Whether a mail server was tried: counted as an attempt, and as a result for a waiting call. */
  isAttempt: boolean
  /** Whether it counts as used of the mailbox's quota: the mail server received the envelope of a message. */
  isCounted: boolean
  /** For queued and deferred: how long the row then rests. */
  delayMs: number
}

/** Delivery states of a message, for a call that waits for the first result. */
export interface MessageResults {
  queuedCount: number
  sendingCount: number
  /** Sent, deferred or unknown: not refused. */
  takenCount: number
  failedCount: number
  /** Reply to the delivery that failed last. */
  failureReply: string | null
  /** Why the mailbox waits for its owner; null while it sends, or will by itself. */
  pauseReason: string | null
}

/**
 * Merge variables that we give ourselves, by name; each is worked out where a mail uses it, and no context can stand in for
 * it.
 */
export type DeliveryVariables = Readonly<
  Record<string, (delivery: Pick<ClaimedDelivery, 'id' | 'recipient'>, message: MessageContent) => string>
>

/** A message whose sealed values cannot be opened: it can never be sent. */
export interface UnopenedMessage {
  id: string
  isUnopened: true
}

/** The part of a message that all its mails share. */
export interface MessageContent {
  id: string
  workspaceId: string
  /** Null for what a send call accepted. */
  campaignId: string | null
  fromAddress: string
  subject: string
  content: string
  isHtml: boolean
  context: MergeContext
  /** In their order, after the mail's own. */
  extraHeaders: readonly ExtraHeader[]
}
