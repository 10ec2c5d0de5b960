import type { timelineKinds } from '../../../contract/audience/contact.limits.ts'
import type { Verdict } from '../../../contract/results/event.ts'
import type { ContactSort, ContactStatus } from '../../../contract/audience/contact.ts'
import type { MemberState } from '../../../contract/audience/segment-rule.ts'
import type { FieldValue } from './field-value.ts'

/** A contact as it is stored. */
export interface ContactRow {
  id: number
  email: string
  status: ContactStatus
  /** By the number of their field, values of deleted fields too. */
  fields: Record<string, FieldValue>
  timezone: string | null
  locale: string | null
  source: string
  createdAt: Date
  updatedAt: Date
  lastSentAt: Date | null
  lastActivityAt: Date | null
  /** Where the contacts of one list are read. */
  listState?: MemberState
}

export interface Membership {
  listId: number
  name: string
  state: MemberState
  at: Date
}

export interface Consent {
  kind: string
  text: string
  at: Date
}

/** A contact to be written. */
export interface ContactEntry {
  email: string
  /** Equal for two spellings of one mailbox. */
  key: string
  /** By the number of their field; null removes a value, the others stay. */
  fields: Readonly<Record<string, FieldValue | null>>
  /** Undefined stays as it is. */
  timezone?: string | null | undefined
  locale?: string | null | undefined
}

/** Position of a contact in a sorted list: the value that is sorted by, and the id. */
export interface ContactCursor {
  value: string
  id: number
}

export interface ContactPage {
  sort: ContactSort
  limit: number
  after: ContactCursor | null
}

/** What the timeline of a contact shows. */
export interface TimelineRow {
  kind: (typeof timelineKinds)[number]
  at: Date
  title: string
  detail: string
  objectId: string | null
  /** Of an open or click. */
  verdict: Verdict | null
  /** Of a bounce or delay. */
  reason: string | null
}

/** A place in a timeline: a time, and how many entries of that time are above the place. */
export interface TimelineCursor {
  at: Date
  skipCount: number
}

/** A write was undone because the fields of a contact would exceed their limit. */
export class ContactTooLarge extends Error {
  override readonly name = 'ContactTooLarge'
}
