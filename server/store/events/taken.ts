import type { EventDetail } from '../../../contract/results/event.ts'

/** A row of the inbox with what the database knows of its mail. Times are milliseconds since 1970. */
export interface TakenEvent {
  seq: number
  at: number
  kind: number
  messageId: string | null
  deliveryMonth: string | null
  deliveryId: number | null
  deliveryIds: number[] | null
  linkNo: number | null
  agentHash: string | null
  net: string | null
  netLabel: number | null
  flags: number
  detail: EventDetail | null
  hasMessage: boolean
  /** A test mail or one of the deployment to its users. */
  isUncounted: boolean | null
  campaignId: string | null
  mailboxId: string | null
  hasDelivery: boolean
  state: string | null
  email: string | null
  acceptedAt: number | null
  contactId: number | null
}

/** An event that is being digested. */
export interface DigestedEvent extends TakenEvent {
  /** Null without a mail. */
  sourceId: string | null
  verdict: 1 | 2 | 3 | null
  agentId: number | null
}
