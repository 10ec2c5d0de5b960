import type { Contact, ContactDetail } from '../../contract/audience/contact.ts'
import type { ContactAction, NewContactAction } from '../../contract/audience/contact-action.ts'
import type { ContactField } from '../../contract/audience/contact-field.ts'
import type { List } from '../../contract/audience/list.ts'
import type { Segment } from '../../contract/audience/segment.ts'
import type { Handler, Reply } from './api-server.ts'

const createdAt = '2025-08-14T09:30:00.000Z'

export function sampleContact(changes: Partial<Contact> = {}): Contact {
  return {
    id: '1',
    email: 'ines.prado@example.org',
    status: 'active',
    fields: { first_name: 'Ines', last_name: 'Prado', city: 'Lisbon' },
    timezone: 'Europe/Lisbon',
    locale: 'pt-PT',
    source: 'import',
    created_at: createdAt,
    updated_at: createdAt,
    last_sent_at: null,
    last_activity_at: '2025-08-15T09:30:00.000Z',
    ...changes,
  }
}

export function sampleContactDetail(changes: Partial<ContactDetail> = {}): ContactDetail {
  return { ...sampleContact(), lists: [], consents: [], suppression: null, tracking: null, ...changes }
}

export const sampleFields: ContactField[] = [
  { no: 1, key: 'first_name', label: 'First name', type: 'text', choices: [], created_at: createdAt },
  { no: 2, key: 'last_name', label: 'Last name', type: 'text', choices: [], created_at: createdAt },
  { no: 3, key: 'city', label: 'City', type: 'text', choices: [], created_at: createdAt },
  { no: 4, key: 'member_since', label: 'Member since', type: 'date', choices: [], created_at: createdAt },
  { no: 5, key: 'plan', label: 'Plan', type: 'choice', choices: ['Free', 'Pro'], created_at: createdAt },
]

export function sampleList(changes: Partial<List> = {}): List {
  return {
    id: '7',
    name: 'Newsletter',
    description: '',
    is_public: true,
    member_count: 2,
    pending_count: 0,
    unsubscribed_count: 0,
    growth_30_days: 2,
    created_at: createdAt,
    ...changes,
  }
}

export function sampleSegment(changes: Partial<Segment> = {}): Segment {
  return {
    id: '3',
    name: 'Lisbon',
    rule: { field: 3, op: 'is', value: 'Lisbon' },
    is_live: false,
    member_count: 1,
    evaluated_at: createdAt,
    cost_ms: 2,
    used_by: [],
    created_at: createdAt,
    updated_at: createdAt,
    ...changes,
  }
}

/** An action that is done. */
export function sampleAction(changes: Partial<ContactAction> = {}): ContactAction {
  return { id: '5', kind: 'add_to_list', state: 'done', done: 1, total: 1, undo_until: createdAt, ...changes }
}

/** A count as server-sent events. */
export function countEvents(...counts: { count: number; is_estimate: boolean }[]): Reply {
  const text = counts.map((count) => `event: count\ndata: ${JSON.stringify({ ...count, took_ms: 1 })}\n\n`).join('')
  return { text, headers: { 'Content-Type': 'text/event-stream' } }
}

/** Whether a contact matches a query, as far as the tests use one. */
function isMatch({ id, email, status, fields }: Contact, query: URLSearchParams): boolean {
  const search = (query.get('search') ?? '').toLowerCase()
  const names = [email, fields['first_name'], fields['last_name']].map((one) => String(one ?? '').toLowerCase())
  const isFound = search.startsWith('@') ? email.includes(search) : names.some((name) => name.startsWith(search))
  const rule = query.get('rule')
  return (
    isFound &&
    (query.get('status') ?? status) === status &&
    // The rule of a list: its members have odd ids.
    (rule === null || Number(id) % 2 === 1)
  )
}

/** Responses of a workspace with these contacts. Pages are read by a cursor that is the number of rows before it. */
export function contactResponses(contacts: readonly Contact[]): Record<string, Handler> {
  const found = (query: URLSearchParams) => {
    const sort = query.get('sort')
    const all = contacts.filter((contact) => isMatch(contact, query))
    if (sort === 'email') return all.toSorted((a, b) => a.email.localeCompare(b.email))
    if (sort !== 'last_activity') return all
    return all.toSorted((a, b) => (b.last_activity_at ?? '').localeCompare(a.last_activity_at ?? ''))
  }
  return {
    listContacts: ({ query }) => {
      const all = found(query)
      const begin = Number(query.get('cursor') ?? 0)
      const end = begin + Number(query.get('limit') ?? 100)
      return {
        json: all.slice(begin, end),
        ...(end < all.length && { headers: { 'X-Next-Cursor': String(end) } }),
      }
    },
    countContacts: ({ query }) => countEvents({ count: found(query).length, is_estimate: false }),
    listContactFields: { json: sampleFields },
    listLists: { json: [sampleList(), sampleList({ id: '8', name: 'Friends' })] },
    listSegments: { json: [sampleSegment()] },
    listContactSegments: { json: [{ id: '3', name: 'Lisbon' }] },
    createContact: { status: 201, json: sampleContactDetail() },
    startContactAction: ({ body }) => {
      const { kind, ids } = body as NewContactAction
      const count = ids?.length ?? contacts.length
      return { status: 202, json: sampleAction({ kind, done: count, total: count }) }
    },
    deleteContact: { status: 204 },
    eraseContact: { status: 204 },
    getContact: ({ params }) => {
      const contact = contacts.find(({ id }) => id === params['id'])
      if (contact === undefined) return { status: 404, json: { detail: 'No contact has this id.' } }
      return { json: sampleContactDetail(contact) }
    },
    listContactTimeline: { json: [] },
  }
}
