import type { inboxKinds, inboxMatches, readingStates } from './inbox.limits.ts'

export type InboxKind = (typeof inboxKinds)[number]
export type InboxMatch = (typeof inboxMatches)[number]
export type ReadingState = (typeof readingStates)[number]
