import { proxy, ref } from 'valtio/vanilla'
import { countContacts, createContact, exportContacts, listContacts } from '../../../client/audience/contact.ts'
import { listContactFields } from '../../../client/audience/contact-field.ts'
import { listLists } from '../../../client/audience/list.ts'
import { createSegment, listSegments } from '../../../client/audience/segment.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { Contact, ContactCount, ContactSort, NewContact } from '../../../contract/audience/contact.ts'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import { onListLocation, readListLocation, writeListLocation } from '../../kit/list-url.ts'
import { problemsOf, type CallProblems } from './call-problems.ts'
import { memberLabels, sortLabels, statusLabels } from './contact-text.ts'
import { queryOf, ruleOf, type ContactsFilter } from './contacts-filter.ts'

export interface ContactsState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  filter: ContactsFilter
  /** Rows that are loaded; they themselves are `rows()`. */
  rowCount: number
  /** The rows are those of another filter than before. */
  version: number
  more: 'end' | 'idle' | 'loading' | 'failed'
  /** Contacts that match; null until it is known. */
  count: ContactCount | null
  fields: ContactField[]
  /** Names by id, for the filters. */
  lists: { id: string; name: string }[]
  segments: { id: string; name: string }[]
}

const pageCount = 100
const filterValues = {
  search: null,
  status: Object.keys(statusLabels),
  list: null,
  member: Object.keys(memberLabels),
  segment: null,
  field: null,
  value: null,
  sort: Object.keys(sortLabels),
} as const
const noFilter: ContactsFilter = {
  search: '',
  status: '',
  list: '',
  member: '',
  segment: '',
  field: '',
  value: '',
  sort: '',
}

export type ContactsStore = ReturnType<typeof createContactsStore>

/** The contacts that match a filter: pages of 100 by cursor, their number, and the filter in the address of the page. */
export function createContactsStore(session: Session) {
  const state = proxy<ContactsState>({
    status: 'loading',
    error: null,
    filter: readListLocation<ContactsFilter>(filterValues).filter,
    rowCount: 0,
    version: 0,
    more: 'idle',
    count: null,
    fields: ref([]),
    lists: ref([]),
    segments: ref([]),
  })
  // No proxies: there may be many.
  let rows: Contact[] = []
  let cursor: string | null = null
  let loading = new AbortController()

  const sortOf = (): ContactSort => state.filter.sort || 'newest'

  async function load(): Promise<void> {
    loading.abort()
    const { signal } = (loading = new AbortController())
    state.status = state.rowCount > 0 && state.status === 'ready' ? 'ready' : 'loading'
    try {
      // The type of a field decides how the filter reads its value.
      if (state.fields.length === 0) state.fields = ref(await listContactFields(session, { signal }))
      state.count = null
      const query = { ...queryOf(state.filter, state.fields), sort: sortOf(), limit: pageCount }
      const page = await listContacts(session, query, { signal })
      rows = page.items
      cursor = page.nextCursor
      Object.assign(state, {
        status: 'ready',
        error: null,
        rowCount: rows.length,
        version: state.version + 1,
        more: cursor === null ? 'end' : 'idle',
      })
      // After the rows: a count of many contacts takes the database longer than they do.
      void countAll(signal)
    } catch (error) {
      if (isAbort(error)) return
      rows = []
      Object.assign(state, { status: 'failed', error: errorText(error), rowCount: 0 })
    }
  }

  /** The estimate first, then the exact number. Without it the list can be used all the same. */
  async function countAll(signal: AbortSignal): Promise<void> {
    try {
      for await (const count of countContacts(session, queryOf(state.filter, state.fields), { signal }))
        state.count = count
    } catch {
      // The number is left out.
    }
  }

  /** Adds the next page. */
  async function loadMore(): Promise<void> {
    if (cursor === null || state.more === 'loading' || state.status !== 'ready') return
    state.more = 'loading'
    const { signal } = loading
    try {
      const query = { ...queryOf(state.filter, state.fields), sort: sortOf(), limit: pageCount, cursor }
      const page = await listContacts(session, query, { signal })
      if (signal.aborted) return
      rows.push(...page.items)
      cursor = page.nextCursor
      Object.assign(state, { rowCount: rows.length, more: cursor === null ? 'end' : 'idle' })
    } catch (error) {
      if (!isAbort(error)) state.more = 'failed'
    }
  }

  /** Names for the filters. Without them a filter shows no name. */
  async function loadNames(): Promise<void> {
    const [lists, segments] = await Promise.allSettled([listLists(session), listSegments(session)])
    if (lists.status === 'fulfilled') state.lists = ref(lists.value.map(({ id, name }) => ({ id, name })))
    if (segments.status === 'fulfilled') state.segments = ref(segments.value.map(({ id, name }) => ({ id, name })))
  }

  function find(change: Partial<ContactsFilter>): Promise<void> {
    const isTyping = Object.keys(change).join() === 'search' && state.filter.search !== '' && change.search !== ''
    Object.assign(state.filter, change)
    writeListLocation({ filter: state.filter, page: 1 }, isTyping ? 'replace' : 'push')
    return load()
  }

  return {
    state,
    /** The loaded rows, in their order. */
    rows: (): readonly Contact[] => rows,
    load,
    loadMore,
    find,
    clear: () => find({ ...noFilter, sort: state.filter.sort }),
    /** Loads the list and follows the address; returns the undo. */
    start() {
      state.filter = readListLocation<ContactsFilter>(filterValues).filter
      void load()
      void loadNames()
      const unfollow = onListLocation(() => {
        const { filter } = readListLocation<ContactsFilter>(filterValues)
        if (JSON.stringify(filter) === JSON.stringify({ ...state.filter })) return
        state.filter = filter
        void load()
      })
      return () => {
        unfollow()
        loading.abort()
      }
    },
    /** Adds a contact; gives the sentences of what is wrong by field, null where it was added. */
    async add(contact: NewContact): Promise<CallProblems | null> {
      try {
        await createContact(session, contact)
      } catch (error) {
        const labels = Object.fromEntries(state.fields.map(({ key, label }) => [key, label]))
        return problemsOf(error, 'email', { ...labels, email: pageLanguage.t('The address') })
      }
      void load()
      return null
    },
    /** The contacts that match as a CSV, in pieces. Rejects where it breaks off. */
    csv: () => exportContacts(session, queryOf(state.filter, state.fields)),
    /** Saves the filter as a segment; gives why it could not, or the new id. */
    async saveSegment(name: string): Promise<{ id: string } | { problem: string }> {
      try {
        const { id } = await createSegment(session, { name, rule: ruleOf(state.filter, state.fields) })
        return { id }
      } catch (error) {
        return { problem: errorText(error) ?? '' }
      }
    },
  }
}
