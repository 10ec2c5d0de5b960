/** Sentences of the composer, with their source. Those of the specification are literal. */

/** Spec §8: the banner of a send that failed. */
export const sendFailed = 'Failed to send email'
/** Ours: a part of the widget did not come. */
export const notLoaded = 'The connection was lost. Check it and try again.'

/** Spec §2: what is missing, in the order of the form. */
export const checklist = {
  from: 'Select a sender email',
  subject: 'Add a subject line',
  messageBody: 'Add message content',
  recipients: 'Add at least one recipient',
} as const

/** Spec §2: the sender dropdown without mailboxes, by the status of their list. */
export const senders = {
  idle: 'Loading...',
  loading: 'Loading...',
  failed: 'Error loading emails',
  ready: 'No email configurations found',
} as const
