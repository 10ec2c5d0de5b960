/** Kinds, matches and limits of inbox mails, known to server and browser. */

export const inboxKinds = ['reply', 'auto_reply', 'bounce', 'delay', 'complaint', 'unsubscribe'] as const

/** `id`: by a Message-ID of ours; `recipient`: by address; `probable`: by sender and subject; `unverified`: no proof of origin. */
export const inboxMatches = ['id', 'recipient', 'probable', 'unverified'] as const

export const readingStates = ['off', 'starting', 'live', 'polling', 'needs_consent', 'refused', 'failing'] as const

/** Longest answer. */
export const answerMaxChars = 100_000

/** Views of the list of replies. */
export const replyViews = ['new', 'reply', 'auto_reply', 'probable', 'unverified', 'archived'] as const

/** Mails that the sandbox page puts into its mailbox in answer to one that it received. */
export const incomingKinds = ['bounce', 'reply', 'out_of_office', 'complaint'] as const
export type IncomingKind = (typeof incomingKinds)[number]
