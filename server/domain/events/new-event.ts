import type { EventDetail, EventName } from '../../../contract/results/event.ts'

/** An event for the inbox of its workspace. The digest finds the mail, its source and its contact. */
export interface NewEvent {
  kind: EventName
  at: Date
  messageId?: string | undefined
  /** With `deliveryId`: `YYYY-MM-01`. */
  deliveryMonth?: string | undefined
  deliveryId?: number | undefined
  contactId?: number | undefined
  /** Bits of `eventFlags`. */
  flags?: number | undefined
  detail?: EventDetail | undefined
}

/** A user agent, with what its text says. */
export interface UserAgent {
  /** The first 8 bytes of the SHA-256 of the text. */
  hash: Buffer
  text: string
  family: string | null
  os: string | null
  /** 3 for a program that calls itself one; null where the text decides nothing. */
  verdict: 3 | null
}

/** An open or click that the tracking door has answered. */
export interface Hit {
  workspaceId: string
  at: Date
  kind: 'opened' | 'clicked'
  messageId: string
  /** Null for a mail whose recipients are not distinguished. */
  deliveryMonth: string | null
  deliveryId: number | null
  /** Of a click. */
  linkNo: number | null
  agentHash: Buffer
  /** Hash of the network, 8 bytes. */
  netHash: Buffer
  /** From `networkLabelOf`; null for a network that is not listed. */
  netLabel: number | null
  /** Bits of `eventFlags`. */
  flags: number
}

/** How far a hit journal has been written. */
export interface JournalPosition {
  writer: string
  segment: number
  byteOffset: number
}
