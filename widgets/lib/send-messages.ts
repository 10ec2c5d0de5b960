/** Sentences of a launch, when it is asked about and when it failed; apart from the others, for they come when needed. */

/** Spec §8, when nothing more is known. */
export const sendFailedPlain = 'Failed to send email. Please try again.'
/** Ours: a send without an answer may have been accepted; the same one again is known by its key. */
export const sendUnanswered =
  'The server did not answer, so the message may have been accepted. Launch it again unchanged: it is sent only once.'
/** Ours. */
export const noGoodRecipient = 'None of the recipients is an email address. Correct the marked entries or add another.'
/** Ours: a page of somebody else sends messages, no campaigns. */
export const campaignElsewhere =
  'From this page one message goes to at most 1,000 recipients, with the same values for all of them. Send it in parts, or from the dashboard.'
/** Ours. */
export const copiesOfOne =
  'Cc and Bcc are for one message: it has the same values for all, and no lists or segments. Remove them, or send without Cc and Bcc.'
/** Ours. */
export const scheduled = 'Message scheduled'
/** Decisions, Screens. */
export const askOthers = 'Send to the other {number}?'
/** Ours. */
export const askEmpty = 'Send with empty variables?'
/** Spec §8. */
export const fillRequired = 'Please fill all required fields'
/** Ours. */
export const wasUndone = 'Nothing was sent. Your message is back.'
/** Spec §4. */
export const sent = 'Email sent successfully!'
