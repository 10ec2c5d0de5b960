import type { MailToken } from './mail-link.ts'

/** An open or click, as the journal keeps it. Contains no address of the client. */
export interface RecordedHit {
  at: Date
  kind: 'opened' | 'clicked'
  mail: MailToken
  /** Of a click. */
  linkNo: number | null
  /** The client's User-Agent, at most 512 bytes. */
  agent: string
  /** Hash of the client's network, 8 bytes. */
  netHash: Buffer
  netLabel: number | null
  /** Bits of `eventFlags`. */
  flags: number
}

/** A place in a hit journal. */
export interface HitPosition {
  segment: number
  byteOffset: number
}

/** The hits of a journal after a place. */
export interface HitBatch {
  hits: RecordedHit[]
  next: HitPosition
}
