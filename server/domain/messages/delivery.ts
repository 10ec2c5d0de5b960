import type { MergeContext, MergeVariable, TemplatePart } from '../../../contract/mail/merge-variables.ts'
import type { MergeCondition } from '../../../contract/mail/merge-conditions.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { TrackedLink } from '../tracking/mail-link.ts'
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
  /** What the recipient's contact allows; undefined until it was read. */
  tracking?: TrackingMode
}

/** What a mail's links are made of; without its month a mail can have none. */
export interface LinkedDelivery extends Pick<ClaimedDelivery, 'id' | 'recipient' | 'tracking'> {
  month?: string
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
  /** Why the mailbox waits for its owner; null while it sends, or continues automatically. */
  pauseReason: string | null
}

/**
 * Merge variables that we give ourselves, by name; each is worked out where a mail uses it, and no context can stand in for
 * it.
 */
export type DeliveryVariables = Readonly<
  Record<string, (delivery: LinkedDelivery, message: MessageContent, values: MailValues) => string>
>

/** The values of a message's merge variables for one mail. */
export interface MailValues {
  read: (variable: MergeVariable) => string
  holds: (condition: MergeCondition) => boolean
}

/** How a message's links are made. */
export interface MessageLinks {
  /** `workspace_directory.no`. */
  workspaceNo: number
  tracking: TrackingMode
  /** Scheme and host; null: the server's own. */
  base: string | null
  /** Key of the ring that signs them; null: the first one. */
  keyId: string | null
  /** UTM parameters by their names without `utm_`. */
  utm: Readonly<Record<string, string>>
}

/** The HTML of a tracked message, and the variables that it has beside those of all messages. */
export interface TrackedHtml {
  html: readonly TemplatePart[]
  links: readonly TrackedLink[]
  variables: DeliveryVariables
}

/** The tracked HTML of a message; null if it is not tracked. */
export type TrackMessage = (message: MessageContent) => Promise<TrackedHtml | null>

/** A message whose sealed values cannot be opened: it can never be sent. */
export interface UnopenedMessage {
  id: string
  isUnopened: true
}

/** A file of a message, encoded once for all its mails. */
export interface EncodedAttachment {
  filename: string
  contentType: string
  /** Content-ID of an image that the body shows; null for a file of its own. */
  inlineId: string | null
  /** Lines of base64 with CRLF. */
  encoded: Uint8Array
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
  /** Its mailbox is read: the copies in its sent folder tell which Message-IDs the provider gave. Default false. */
  isRead?: boolean
  /** Files of every mail; absent where there are none. */
  attachments?: readonly EncodedAttachment[]
  /** Undefined: it has no links of ours. */
  links?: MessageLinks
  fromName: string | null
  replyTo: string | null
  /** Template of the text part; null: made from the HTML. */
  textPart: string | null
  /** Addresses in the header of a message that all recipients get as one mail; null: each gets a mail of its own. */
  group: { to: readonly string[]; cc: readonly string[] } | null
}
