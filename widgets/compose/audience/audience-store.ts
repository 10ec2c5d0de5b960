import { proxy, ref } from 'valtio/vanilla'
import { countAudience, listAudiencePeople } from '../../../client/audience/campaign-audience.ts'
import { listContacts } from '../../../client/audience/contact.ts'
import { listContactFields } from '../../../client/audience/contact-field.ts'
import { listLists } from '../../../client/audience/list.ts'
import { listSegments } from '../../../client/audience/segment.ts'
import { errorText, isAbort } from '../../../client/core/http.ts'
import type { Contact } from '../../../contract/audience/contact.ts'
import { audienceRecipientsMaxCount } from '../../../contract/audience/campaign-audience.limits.ts'
import { checkRecipient, type Recipient } from '../../lib/recipients.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { AudienceRef, AudienceState } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { audienceRequest } from './audience-request.ts'

/** People of one page for the preview. */
const readersCount = 50
const contactsShownCount = 8
/** How long sources rest before they are counted. */
const countAfterMs = 250

const stores = new WeakMap<ComposeStore, AudienceStore>()

/** The lists and segments of a composer; made once for each. */
export function audienceStoreOf(composer: ComposeStore): AudienceStore {
  const store = stores.get(composer) ?? createAudienceStore(composer)
  stores.set(composer, store)
  return store
}

function createAudienceStore(composer: ComposeStore) {
  const { session } = composer
  const state = proxy<AudienceState>({
    lists: [],
    segments: [],
    status: 'loading',
    fields: [],
    counted: null,
    problem: null,
    readers: [],
  })
  composer.state.audience = state
  let counting = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Of the readers: undefined where all are loaded. */
  let cursor: string | undefined

  const audience = (): readonly AudienceRef[] => composer.state.draft.audience ?? []
  const hasIncluded = () => audience().some(({ isExcluded }) => !isExcluded)

  /** Lists, segments and fields; the fields are offered as merge variables. */
  async function load(): Promise<void> {
    state.status = 'loading'
    try {
      const [lists, segments, fields] = await Promise.all([
        listLists(session),
        listSegments(session),
        listContactFields(session),
      ])
      Object.assign(state, {
        lists: ref(lists.map(({ id, name, member_count: count }) => ({ id, name, count }))),
        segments: ref(segments.map(({ id, name, member_count: count }) => ({ id, name, count }))),
        fields: ref(fields.map(({ key }) => key)),
        status: 'ready',
      })
    } catch {
      state.status = 'failed'
    }
  }

  async function countNow(): Promise<void> {
    const { signal } = counting
    const people = uniqueRecipients(composer.state.draft.recipients)
    try {
      if (people.length > audienceRecipientsMaxCount)
        throw new Error('With more than 50,000 further recipients the people are counted at the launch.')
      const request = { ...audienceRequest(audience()), recipients: people.map(({ text }) => text) }
      for await (const counted of countAudience(session, request, { signal }))
        if (!signal.aborted) Object.assign(state, { counted: ref(counted), problem: null })
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) Object.assign(state, { counted: null, problem: errorText(error) })
    }
  }

  async function findReaders(address = ''): Promise<void> {
    if (!hasIncluded() || (address === '' && cursor === undefined)) return
    const { signal } = counting
    try {
      const { items, nextCursor } = await listAudiencePeople(
        session,
        { ...audienceRequest(audience()), ...(address !== '' && { query: address }) },
        { limit: readersCount, ...(address === '' && cursor && { cursor }) },
        { signal },
      )
      if (address === '') cursor = nextCursor ?? undefined
      const known = new Set(state.readers.map(({ key }) => key))
      const found = items.map(readerOf).filter(({ key }) => !known.has(key))
      state.readers = ref([...state.readers, ...found])
    } catch {
      // The preview goes on with those that it has.
    }
  }
  composer.findReaders = findReaders

  return {
    state,
    load,

    /** Counts the people again and clears the preview's: called after each change of the sources. */
    follow(): void {
      clearTimeout(timer)
      counting.abort()
      counting = new AbortController()
      cursor = ''
      Object.assign(state, { readers: ref([]), problem: null })
      if (!hasIncluded()) {
        state.counted = null
        return
      }
      timer = setTimeout(() => {
        void countNow()
        void findReaders()
      }, countAfterMs)
    },

    /** Contacts whose address or name begins so, a few of them; null once it was aborted. */
    async findContacts(search: string, signal: AbortSignal): Promise<readonly Contact[] | null> {
      try {
        return (await listContacts(session, { search, limit: contactsShownCount }, { signal })).items
      } catch (error) {
        return isAbort(error) ? null : []
      }
    },

    /** Sends to a list or segment, leaves its people out, or neither. */
    choose({ kind, id, name }: AudienceRef, how: 'included' | 'excluded' | null): void {
      const others = audience().filter((one) => one.kind !== kind || one.id !== id)
      const chosen = { kind, id, name, ...(how === 'excluded' && { isExcluded: true }) }
      composer.write({ audience: how === null ? [...others] : [...others, chosen] })
    },

    close(): void {
      clearTimeout(timer)
      counting.abort()
    },
  }
}

function readerOf({
  email,
  context,
}: {
  email: string
  context: Record<string, string | number | boolean>
}): Recipient {
  const values = Object.entries(context).map(([name, value]) => [name, String(value)] as const)
  return { ...checkRecipient(email), context: Object.fromEntries(values) }
}

export type AudienceStore = ReturnType<typeof createAudienceStore>
