/** Limits and constants of all calls, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Default and largest `limit` of a list, in rows. */
export const listDefaultCount = 100
export const listMaxCount = 500

/** Largest request body, in bytes. */
export const bodyMaxBytes = 1024 * 1024

/** Deepest nesting of a JSON body, in levels. */
export const bodyMaxDepth = 64

/** Longest Idempotency-Key, in characters, and how long its answer is kept. */
export const idempotencyKeyMaxChars = 255
export const idempotencyKeptHours = 24

/** Longest line of a stream of recipients or of suppressions, in bytes. */
export const streamLineMaxBytes = 64 * 1024

/** Largest number of rejected lines of a stream that the answer lists. */
export const refusalsShownMaxCount = 100
