/** Limits and constants of accounts and sessions, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Shortest password that sign-up and reset accept, in characters. */
export const passwordMinChars = 6

/** Longest accepted password, in UTF-8 bytes. */
export const passwordMaxBytes = 1024

/** Longest first or last name, in characters. */
export const nameMaxChars = 100

/** Answers to "How did you hear about us?" at sign-up. */
export const referralSources = ['Twitter', 'LinkedIn', 'Job Fair', 'Instagram'] as const
export type ReferralSource = (typeof referralSources)[number]

/** Documents that a user accepts; the date names the version. */
export const acceptableDocuments = ['terms', 'privacy'] as const
export type AcceptableDocument = (typeof acceptableDocuments)[number]

/** Date of the current version, `YYYY-MM-DD`, which sign-up accepts. The texts are in dashboard/content/legal/. */
export const documentDates: Readonly<Record<AcceptableDocument, string>> = {
  terms: '2025-08-14',
  privacy: '2025-08-14',
}

/** Retention of the data of a closed account, which can be reopened until then (spec §4, §9). */
export const closedAccountKeptDays = 30

/** Lifetime of a confirmation link. */
export const confirmationLifeHours = 24

/** Confirmation mails per account and hour, without the first. */
export const confirmationResendsPerHourMaxCount = 3

/** Lifetime of a password reset link. */
export const resetLifeMinutes = 30

/** Lifetime of the code that a sign-in with a provider brings back to /login. */
export const signInCodeLifeSeconds = 60

/** Idle timeout and maximum lifetime of a session. */
export const sessionIdleDays = 7
export const sessionLifeDays = 30

/** Delay of the redirect from /forgot_password to /login after success (spec §9). */
export const resetRedirectMs = 2000

/** Storage key of the access token in the browser (spec §3). */
export const accessTokenStorageKey = 'access_token'

/** Lifetime of a proof-of-work challenge of a sign-in. */
export const proofOfWorkLifeMinutes = 10

/** Longest solution of a proof of work, in characters. */
export const proofOfWorkMaxChars = 4096
