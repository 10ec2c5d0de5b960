/** Limits and constants of sending, known to server and browser; the unit is in the name. */

/** Longest time in which a send can be undone. */
export const undoMaxSeconds = 60

/** Most addresses of a message with cc or bcc, all together. */
export const groupMaxCount = 50

/** Most recipients of a message that is marked as personal. */
export const personalMaxCount = 10

/** Addresses of one test. */
export const testRecipientsMaxCount = 10

/** Longest name of a sender, in characters. */
export const fromNameMaxChars = 200

/** How far ahead a message can be scheduled. */
export const scheduleMaxDays = 366
