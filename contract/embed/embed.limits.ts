/** Limits and constants of embeds and embed sessions, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Lifetime of an embed session: default and maximum. */
export const embedSessionLifeSeconds = { default: 15 * 60, max: 60 * 60 } as const

/** Lifetime of the code that a consent returns. */
export const embedCodeLifeSeconds = 60

/** Default and maximum limits of an embed. */
export const embedLimitDefaults = { messages_per_session: 20, recipients_per_session: 100, recipients_per_day: 1000 }
export const embedLimitMaxima = {
  messages_per_session: 1000,
  recipients_per_session: 10_000,
  recipients_per_day: 100_000,
}

/** Largest number of embeds of a workspace and of origins and mailboxes of an embed; longest name and `user_ref`, in characters. */
export const embedsMaxCount = 500
export const embedOriginsMaxCount = 50
export const embedConfigsMaxCount = 100
export const embedNameMaxChars = 100
export const userRefMaxChars = 200

/** Retention of the audit log of embed sessions. */
export const embedAuditKeptDays = 90
