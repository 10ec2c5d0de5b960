/** Limits and constants of messages, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Largest number of recipients of one send call; a campaign has no limit. */
export const recipientsMaxCount = 1000

/** Longest subject line, in characters. */
export const subjectMaxChars = 998

/** Largest rendered mail to one recipient, in bytes on the wire. */
export const mailMaxBytes = 10 * 1024 * 1024

/** Largest number of merge variables of one context, and the longest value, in characters. */
export const contextMaxCount = 500
export const contextValueMaxChars = 10_000

/** Longest queue of one workspace, in mails of send calls (campaigns are not counted). */
export const queueMaxCount = 100_000

/** Largest total that the list of messages counts; larger totals are a lower bound. */
export const messagesCountMaxCount = 1000

/** Send calls with up to this many recipients wait for the first SMTP result (decisions, API). */
export const waitForFirstResultMaxCount = 10

/** Longest wait for that result. */
export const firstResultTimeoutMs = 10_000
