import type { BufferPool } from './buffer-pool.ts'
import type { SmtpError } from './smtp-error.ts'

/** A built mail, lines ended by CRLF. */
export interface WireMail {
  bytes: Buffer
  /**
   * Whether it can go out as it stands: every line ends with CRLF, the last one too, none begins with a dot, none is longer
   * than 998 bytes.
   */
  isWireReady: boolean
  /** The memory that begins with `bytes`: who sends them may write behind them, and gives it back. */
  buffer?: Buffer
}

export interface SmtpEnvelope {
  from: string
  to: string
}

/**
 * What became of a mail on a connection. `replied`: the server took it. `failed`: it was refused, or the connection ended
 * over it. `withheld`: `begin` threw, nothing of it left, and the connection is gone. `untouched`: the connection ended
 * before it was this mail's turn.
 */
export type SmtpResult =
  | { kind: 'replied'; reply: string }
  | { kind: 'failed'; error: SmtpError }
  | { kind: 'withheld'; error: Error }
  | { kind: 'not_started' }

/** A mail to be sent over a connection. */
export interface SmtpJob {
  envelope: SmtpEnvelope
  mail: WireMail
  /** Runs after the server has asked for the message and before its first byte leaves; if it throws, nothing leaves. */
  begin: () => void
  /** Called once. */
  end: (result: SmtpResult) => void
}

/** A signed-in connection. */
export interface SmtpSession {
  readonly isOpen: boolean
  /** Where mails for it may be built; null: it keeps what it is given. */
  readonly buffers: BufferPool | null
  /** Mails that it was given. */
  readonly usedCount: number
  /** Mails that it was given and that have not ended. */
  readonly busyCount: number
  /**
   * Asks `next` for a mail whenever it can take one, until it gives null; `wake` makes it ask again. `onIdle` is called when
   * the last mail it had has ended and `next` has no other, and when the connection has ended. To be called once.
   */
  serve(next: () => SmtpJob | null, onIdle: () => void): void
  wake(): void
  /** Says goodbye once nothing is under way; resolves when the connection is gone, after 2 s at the latest. */
  quit(): Promise<void>
  /** Cuts the connection at once; what is in flight fails. */
  destroy(): void
}
