/** Sentences under the banner of a send that failed; apart from the others, for they come when they are needed. */

/** Spec §8, when nothing more is known. */
export const sendFailedPlain = 'Failed to send email. Please try again.'
/** Ours: a send without an answer may have been accepted, and a second one would be a second mail. */
export const sendUnanswered =
  'No answer came from the server, so the message may have been accepted. Look for it in an inbox before you launch it again.'
/** Ours. */
export const noGoodRecipient = 'None of the recipients is an email address. Mend the marked entries or add another.'
/** Ours; the server takes no more in one call. */
export const tooManyRecipients = (count: number, most: number) =>
  `One send takes at most ${most} recipients, and here are ${count}. Remove ${count - most}, or send in parts.`
/** Decisions, Screens. */
export const askOthers = (count: number) => `Send to the other ${count.toLocaleString()}?`
