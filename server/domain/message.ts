import type { DeliveryState } from '../../contract/message.ts'
import type { MergeContext } from '../../contract/merge-variables.ts'

/** A message as it is accepted: one row, and one delivery for each recipient. */
export interface NewMessage {
  id: string
  workspaceId: string
  configId: string
  fromAddress: string
  subject: string
  content: string
  isHtml: boolean
  context: MergeContext
  /** For context that must not stand in clear, such as links with tokens; `context` is empty then. */
  sealContext: boolean
  /** Envelope addresses, each once. */
  recipients: readonly string[]
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

/** A message with a page of its deliveries. */
export interface MessageRow {
  id: string
  fromAddress: string
  subject: string
  createdAt: Date
  counts: Record<DeliveryState, number>
  deliveries: DeliveryRow[]
}
