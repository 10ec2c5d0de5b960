/** Limits and constants of mailboxes, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Visible characters of a masked secret key. */
export const secretKeyVisibleChars = 3

/** How long a replaced secret key stays valid. */
export const oldSecretKeyLifeHours = 24

/** Mail providers in the order of the form; the first is the default. */
export const providers = ['gmail', 'outlook', 'yahoo', 'other'] as const
export type Provider = (typeof providers)[number]

/** Highest connection limit of a mailbox. */
export const mailboxConnectionsMaxCount = 100

/** Address of the sandbox mailbox, which accepts any app password while the sandbox is on (architecture). */
export const sandboxAddress = 'sandbox@localhost'
