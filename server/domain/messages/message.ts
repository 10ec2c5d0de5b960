import type { DeliveryState } from '../../../contract/mail/message.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'

/** A header line of a message; the value may hold merge variables. */
export interface ExtraHeader {
  name: string
  value: string
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
  /** Nothing of a campaign leaves while that is not `sending`. */
  campaignId?: string
}

/** How many of a message's recipients must not be written to: shown beside the others, never sent. */
export interface Accepted {
  suppressedCount: number
}

/** Recipients of a message that was accepted before, for a stream of them. */
export interface NewDeliveries {
  messageId: string
  /** Each address once: the queue does not compare. */
  recipients: readonly { address: string; context: MergeContext | null; isSuppressed?: boolean }[]
}

/** One recipient of a message, as its sender sees it. */
export interface DeliveryRow {
  id: number
  recipient: string
  state: DeliveryState
  attempts: number
  reply: string | null
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

/** A message with a page of its deliveries. */
export interface MessageRow extends MessageSummaryRow {
  deliveries: DeliveryRow[]
  /** Id of the last delivery of the page if more follow. */
  next: number | null
}
