import type { Identity } from './account.ts'

/** State of a Google sign-in: created for each attempt and stored in a cookie. */
export interface GoogleTry {
  state: string
  nonce: string
  codeVerifier: string
}

/** Google's claims of a user; the email is null unless Google has verified it. */
export interface GooglePerson extends Identity {
  verifiedEmail: string | null
  firstName: string
  lastName: string
}

/** Why the sign-in at Google failed. */
export type GoogleFailure = 'not_set_up' | 'unreachable' | 'cancelled' | 'refused'

/** What /login shows for each way a sign-in with Google can end without one. */
export const googleSentences = {
  not_set_up: 'Google sign-in is not set up on this server. Sign in with your email and password.',
  unreachable: 'Google could not be reached. Try again in a moment.',
  cancelled: 'Google sign-in was cancelled.',
  refused: 'Google sign-in did not work, or took too long. Try again.',
  unverified: 'Google has not verified your email address. Verify it there, or sign in with email and password.',
  password_first: 'This address has an account. Sign in with its password once; after that, Google works too.',
} as const

/** What a browser brings to the sign-in page (OpenID Connect Core 1.0 §3.1.2.1, RFC 7636 §4.3). */
export interface StandInRequest {
  state: string
  nonce: string
  codeChallenge: string
}

/** The user that signs in; the sandbox requires no proof. */
export interface StandInPerson {
  email: string
  firstName: string
  lastName: string
}

/** What the page of the sandbox's own issuer needs of it. */
export interface StandIn {
  /** What the browser brought, or null where it is no request of this server's. */
  read: (query: URLSearchParams) => StandInRequest | null
  /** Where to lead the browser back to: with a code, or where `person` is null with the word that they cancelled. */
  answer: (request: StandInRequest, person: StandInPerson | null) => string
}

/** Paths under the server's public address. */
export const standInPaths = {
  issuer: '/sandbox/google',
  authorize: '/sandbox/google/authorize',
  continue: '/sandbox/google/continue',
} as const
