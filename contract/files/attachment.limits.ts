/** Limits of attachments, known to server and browser; the unit is in the name. */

/** Files of one message, and their bytes together: 25 MB after base64. */
export const attachmentsMaxCount = 20
export const attachmentsMaxBytes = 18 * 1024 * 1024

/** Longest file name, in characters. */
export const filenameMaxChars = 200

/** How long an upload that no message has named is kept. */
export const uploadKeptDays = 7
