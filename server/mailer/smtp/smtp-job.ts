import type { BufferPool } from './buffer-pool.ts'
import type { SmtpError } from './smtp-error.ts'

/** A built mail, lines ended by CRLF. */
export interface WireMail {
  bytes: Buffer
  /**
   * Whether the bytes can be sent without conversion: every line ends with CRLF, including the last one, none begins with
   * a dot, none is longer than 998 bytes.
   */
  isWireReady: boolean
  /** The pooled buffer that starts with `bytes`: the session may append to it and releases it after sending. */
  buffer?: Buffer
}

export interface SmtpEnvelope {
  from: string
  to: string
}

/**
 * Result of a mail on a connection. `replied`: the server accepted it. `failed`: the server refused it, or the connection
 * ended while it was sent. `withheld`: `begin` threw, nothing was sent and the connection was closed. `not_started`: the
 * connection ended before this mail was started.
 */
export type SmtpResult =
  | { kind: 'replied'; reply: string }
  | { kind: 'failed'; error: SmtpError }
  | { kind: 'withheld'; error: Error }
  | { kind: 'not_started' }

/** A mail to send over a connection. */
export interface SmtpJob {
  envelope: SmtpEnvelope
  mail: WireMail
  /** Called after the server's 354 and before the first byte is sent; if it throws, nothing is sent. */
  begin: () => void
  /** Called once. */
  end: (result: SmtpResult) => void
}

/** An authenticated SMTP connection. */
export interface SmtpSession {
  readonly isOpen: boolean
  /** Pool of buffers for mails of this session; null: mails use their own memory. */
  readonly buffers: BufferPool | null
  /** Mails started so far. */
  readonly usedCount: number
  /** Mails in progress. */
  readonly busyCount: number
  /**
   * Calls `next` for the next mail until it returns null; `wake` makes it ask again. `onIdle` is called when the last mail
   * has ended and `next` returned null, and when the connection has ended. Call it once.
   */
  serve(next: () => SmtpJob | null, onIdle: () => void): void
  wake(): void
  /** Sends QUIT when no mail is in progress; resolves when the connection is closed, after 2 s at the latest. */
  quit(): Promise<void>
  /** Destroys the connection at once; mails in progress fail. */
  destroy(): void
}
