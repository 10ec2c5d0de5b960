/** Sentences of the configuration manager, with their source. Those of the specification are literal. */

/** Spec §2 and §8. */
export const configAdded = 'Email configuration successfully added!'
export const copied = 'Copied to clipboard'
/** Ours: deleting is shown, not only logged (decisions, Screens). */
export const configDeleted = '{address} is disconnected'
export const notCopied = 'The browser did not let us copy. Select the key and copy it manually.'

/** Ours: what owners do with a mailbox. */
export const keyRotated = '{address} has a new secret key; the old one works for 24 hours more'
export const testSubject = 'A test from your own mailbox'
export const testContent = (address: string) =>
  `<p>This mail came from ${address} and went to itself: the mailbox is connected and sends.</p>`
export const testSent = 'A test mail was sent from {address} to itself'

/** Ours: limits of a mailbox. */
export const limitsSaved = 'The limits of {address} are saved; what waits goes by them at once'
export const countNeeded = 'Enter a whole number from 1 to {most}, or nothing for what is known of the provider'

/** Ours: signing in at the provider. */
export const signInTexts = { gmail: 'Sign in with Google', outlook: 'Sign in with Microsoft' } as const
export const signInNotCompleted = 'The sign-in at the provider was not completed. Start it again.'
