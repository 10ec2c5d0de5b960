import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import type { MessageOrigin } from '../../../contract/results/tracking-mode.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'

/** A header line of a message; the value may hold merge variables. */
export interface ExtraHeader {
  name: string
  value: string
}

/** What a message has beyond texts and recipients; absent: the column's default. */
export interface MessageOptions {
  kind?: MessageKind
  /** Null or absent: that of the mailbox. */
  fromName?: string | null
  replyTo?: string | null
  /** Among the recipients; with any, all deliveries are copies of one mail. */
  cc?: readonly string[]
  bcc?: readonly string[]
  preheader?: string
  /** Source of a message that can still be edited: its design, or `{html}`, its body without footer. */
  design?: unknown
  /** Template of the text part; null or absent: made from the HTML. */
  textPart?: string | null
  scheduledAt?: Date | null
  timezone?: string | null
  /** So long nothing leaves, and it can be undone. */
  undoSeconds?: number
  /** Absent: as the workspace says for send calls. */
  tracking?: TrackingMode
}

/** A message as it is accepted: one row, and one delivery for each recipient. */
export interface NewMessage {
  id: string
  mailboxId: string
  fromAddress: string
  subject: string
  content: string
  isHtml: boolean
  context: MergeContext
  /** For context that must be encrypted, such as links with tokens; `context` is empty then. */
  sealContext: boolean
  /** Envelope addresses, each once. */
  recipients: readonly string[]
  /** Whether recipients on the workspace's list of those who must not be written to are left out. Default false. */
  obeysSuppressions?: boolean
  /** The mailbox as it was when the call was looked at: once it has changed, nothing is accepted. Default: as it is. */
  mailboxVersion?: string
  /** Default none. */
  extraHeaders?: readonly ExtraHeader[]
  /** A mail that its sender tries out: statistics and lists leave it out. Default false. */
  isTest?: boolean
  /** What sends it. Default `api`. */
  origin?: MessageOrigin
  /** Nothing of a campaign leaves while that is not `sending`. */
  campaignId?: string
  options?: MessageOptions
}

/** How many of a message's recipients must not be written to: shown beside the others, never sent. */
export interface Accepted {
  suppressedCount: number
  /** Until when it can be undone; null: not. */
  undoUntil: Date | null
}

/** Recipients of a message that was accepted before, for a stream of them. */
export interface NewDeliveries {
  messageId: string
  /** Each address once: the queue does not compare. */
  recipients: readonly { address: string; context: MergeContext | null; isSuppressed?: boolean }[]
}

/** What the mail server answered to one attempt. */
export interface AttemptReply {
  /** ISO 8601. */
  at: string
  reply: string
}

/** One recipient of a message, as its sender sees it. */
export interface DeliveryRow {
  id: number
  recipient: string
  state: DeliveryState
  attempts: number
  reply: string | null
  /** Null where the first attempt was taken, and for mails without an attempt. */
  attemptReplies?: readonly AttemptReply[] | null
  nextAttemptAt: Date
  settledAt: Date | null
}

/** A message and its delivery counts by state. */
export interface MessageSummaryRow {
  id: string
  fromAddress: string
  subject: string
  createdAt: Date
  counts: Record<DeliveryState, number>
}

/** Which messages of send calls; null: any. */
export interface MessageFilter {
  /** A recipient's whole address, or a part of the subject; in lower case. */
  search: string | null
  origin: MessageOrigin | null
  mailboxId: string | null
  /** With a recipient in this state. */
  state: DeliveryState | null
  from: Date | null
  to: Date | null
}

/** A message in the list of messages. */
export interface ListedMessageRow extends MessageSummaryRow, MessageFigures {
  mailboxId: string
  origin: MessageOrigin
  /** The first three. */
  recipients: string[]
}

/** A mail to one recipient before its variables are filled. */
export interface SentMailRow {
  fromAddress: string
  fromName: string | null
  replyTo: string | null
  /** Of a mail that all recipients got copies of; null: each recipient got a mail of its own. */
  group: { to: readonly string[]; cc: readonly string[] } | null
  recipient: string
  subject: string
  content: string
  isHtml: boolean
  /** Template of the text part; null: made from the HTML. */
  textPart: string | null
  /** Where its own links lead; null: not fixed. */
  linkBase: string | null
  context: MergeContext
  /** The recipient's own values. */
  ownContext: MergeContext | null
  extraHeaders: readonly ExtraHeader[]
  sentAt: Date | null
}

/** A mail as it was sent to one recipient. */
export interface SentMail {
  subject: string
  html: string | null
  text: string
  headers: { name: string; value: string }[]
  /** Null before the mail server took it. */
  sentAt: Date | null
}

/** Recipients of a message of whom a person did it. */
export interface MessageFigures {
  opened: number
  clicked: number
}

/** A message with a page of its deliveries. */
export interface MessageRow extends MessageSummaryRow {
  /** Null where it is not tracked by recipient; absent where they were not asked for. */
  figures?: MessageFigures | null
  /** Whether all recipients get one mail, with one Message-ID. */
  isGroup: boolean
  deliveries: DeliveryRow[]
  /** Id of the last delivery of the page if more follow. */
  next: number | null
}
