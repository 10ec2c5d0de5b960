/** Limits and constants of suppressions, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Longest mail server reply that a caller passes with a suppressed address, in characters. */
export const suppressionDetailMaxChars = 1000
