import type { SignInProvider } from '../../../contract/mail/config.ts'

/** What a provider gave so that a mailbox may be used in its owner's name (RFC 6749 §5.1). */
export interface MailboxTokens {
  refreshToken: string
  accessToken: string
  /** When the access token ends. */
  expiresAtMs: number
  /** Whether the owner has allowed reading by IMAP, too. Default false; at Google every grant includes it. */
  canRead?: boolean
}

/** A sign-in at a provider that somebody has begun: it comes back with them, sealed, as `state`. */
export interface StartedSignIn {
  provider: SignInProvider
  emailAddress: string
  userId: string
  /** PKCE (RFC 7636). */
  codeVerifier: string
  expiresAtMs: number
  /** Asks for the permission to read, too. Default false. */
  isForReading?: boolean
}

/** Renewed while at least so much of an access token's life is left: a long conversation may begin with it. */
const marginMs = 5 * 60_000

/** Whether an access token can begin a conversation. */
export function isFresh(tokens: MailboxTokens, nowMs: number): boolean {
  return tokens.expiresAtMs - nowMs > marginMs
}
