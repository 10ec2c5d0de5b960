import { proxy, ref } from 'valtio/vanilla'
import {
  deleteContact,
  eraseContact,
  exportContact,
  getContact,
  listContactTimeline,
  updateContact,
} from '../../../client/audience/contact.ts'
import { listContactFields } from '../../../client/audience/contact-field.ts'
import { listContactSegments } from '../../../client/audience/segment.ts'
import { ApiError, errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { ContactChanges, ContactDetail, TimelineEntry } from '../../../contract/audience/contact.ts'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { saveFile } from '../../kit/save-csv.ts'
import { problemsOf } from '../contacts/call-problems.ts'

export interface ContactState {
  status: 'loading' | 'ready' | 'failed' | 'missing'
  error: string | null
  contact: ContactDetail | null
  fields: ContactField[]
  /** Segments that the contact is in; null until they are known. */
  segments: { id: string; name: string }[] | null
  timeline: {
    status: 'loading' | 'ready' | 'failed'
    error: string | null
    entries: TimelineEntry[]
    /** Cursor of older entries; null where there are none. */
    next: string | null
  }
}

export type ContactStore = ReturnType<typeof createContactStore>

/** One contact, its fields and its timeline. */
export function createContactStore(session: Session, id: string) {
  const state = proxy<ContactState>({
    status: 'loading',
    error: null,
    contact: null,
    fields: ref([]),
    segments: null,
    timeline: { status: 'loading', error: null, entries: [], next: null },
  })
  const life = new AbortController()
  const { signal } = life

  async function load(): Promise<void> {
    if (state.contact === null) state.status = 'loading'
    try {
      const [contact, fields] = await Promise.all([
        getContact(session, id, { signal }),
        listContactFields(session, { signal }),
      ])
      Object.assign(state, { status: 'ready', error: null, contact: ref(contact), fields: ref(fields) })
    } catch (error) {
      if (isAbort(error)) return
      const isMissing = error instanceof ApiError && error.status === 404
      Object.assign(state, { status: isMissing ? 'missing' : 'failed', error: errorText(error) })
    }
  }

  /** Without them the panel is left out. */
  async function loadSegments(): Promise<void> {
    try {
      state.segments = await listContactSegments(session, id, { signal })
    } catch {
      state.segments = null
    }
  }

  /** The newest entries, or with `cursor` the older ones below those that are shown. */
  async function loadTimeline(cursor: string | null = null): Promise<void> {
    const { timeline } = state
    timeline.status = 'loading'
    try {
      const page = await listContactTimeline(session, id, cursor === null ? {} : { cursor }, { signal })
      const entries = cursor === null ? page.items : [...timeline.entries, ...page.items]
      Object.assign(timeline, { status: 'ready', error: null, entries, next: page.nextCursor })
    } catch (error) {
      if (!isAbort(error)) Object.assign(timeline, { status: 'failed', error: errorText(error) })
    }
  }

  return {
    state,
    load,
    loadTimeline,
    loadMore: () => loadTimeline(state.timeline.next),
    start() {
      void load()
      void loadTimeline()
      void loadSegments()
      return () => life.abort()
    },
    /** Changes one thing; gives why it could not, null where it is kept. `label` names it in the sentence. */
    async change(changes: ContactChanges, label: string): Promise<string | null> {
      try {
        state.contact = ref(await updateContact(session, id, changes))
        void loadSegments()
        return null
      } catch (error) {
        const names = [...Object.keys(changes), ...Object.keys(changes.fields ?? {})]
        const labels = Object.fromEntries(names.map((name) => [name, label]))
        return Object.values(problemsOf(error, 'email', labels)).join(' ')
      }
    },
    /** Hands everything that is kept about the contact to the person as a file; gives why it could not. */
    async download(): Promise<string | null> {
      try {
        const text = JSON.stringify(await exportContact(session, id), null, 2)
        saveFile([text], `${state.contact?.email ?? 'contact'}.json`, 'application/json')
        return null
      } catch (error) {
        return errorText(error)
      }
    },
    /** Deletes the contact; gives why it could not. */
    async remove(): Promise<string | null> {
      try {
        await deleteContact(session, id)
        return null
      } catch (error) {
        return errorText(error)
      }
    },
    /** Erases the person; gives why it could not. */
    async erase(): Promise<string | null> {
      try {
        await eraseContact(session, id)
        return null
      } catch (error) {
        return errorText(error)
      }
    },
  }
}
