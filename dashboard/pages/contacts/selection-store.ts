import { proxy } from 'valtio/vanilla'
import { deleteContact, listContacts, upsertContacts } from '../../../client/audience/contact.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import { contactBatchMaxCount } from '../../../contract/audience/contact.limits.ts'
import type { Contact } from '../../../contract/audience/contact.ts'
import { listMaxCount } from '../../../contract/core/limits.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import { queryOf } from './contacts-filter.ts'
import type { ContactsStore } from './contacts-store.ts'

type Chosen = Pick<Contact, 'id' | 'email'>

export interface SelectionState {
  /** Address of each selected contact, by id. */
  emails: Record<string, string>
  /** All that match the filter are selected, loaded or not. */
  isAll: boolean
  /** The action that runs, and how many contacts it has done. */
  running: { act: 'list' | 'delete'; doneCount: number } | null
}

export type SelectionStore = ReturnType<typeof createSelectionStore>

const deletedAtOnce = 4

/** Which contacts are selected, and what is done to them. */
export function createSelectionStore(session: Session, contacts: ContactsStore, notify: Notify) {
  const state = proxy<SelectionState>({ emails: {}, isAll: false, running: null })
  const clear = () => Object.assign(state, { emails: {}, isAll: false })

  /** The selected contacts in pieces; all that match are read as the list gives them. */
  async function* chosen(): AsyncGenerator<Chosen[]> {
    if (!state.isAll) {
      const all = Object.entries(state.emails).map(([id, email]) => ({ id, email }))
      for (let at = 0; at < all.length; at += contactBatchMaxCount) yield all.slice(at, at + contactBatchMaxCount)
      return
    }
    const query = { ...queryOf(contacts.state.filter, contacts.state.fields), limit: listMaxCount }
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { items: Chosen[]; nextCursor: string | null } = await listContacts(session, {
        ...query,
        ...(cursor !== '' && { cursor }),
      })
      yield page.items
      cursor = page.nextCursor
    }
  }

  /** Does something to every selected contact; gives how many were done, null where it failed midway. */
  async function run(act: 'list' | 'delete', work: (some: Chosen[]) => Promise<void>): Promise<number | null> {
    if (state.running !== null) return null
    state.running = { act, doneCount: 0 }
    let doneCount = 0
    try {
      for await (const some of chosen()) {
        await work(some)
        doneCount += some.length
        state.running = { act, doneCount }
      }
      clear()
      return doneCount
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
      return null
    } finally {
      state.running = null
      void contacts.load()
    }
  }

  return {
    state,
    clear,
    toggle({ id, email }: Chosen, isSelected: boolean) {
      state.isAll = false
      if (isSelected) state.emails[id] = email
      else Reflect.deleteProperty(state.emails, id)
    },
    /** Selects every loaded row, or none. */
    toggleLoaded(isSelected: boolean) {
      clear()
      if (isSelected) state.emails = Object.fromEntries(contacts.rows().map(({ id, email }) => [id, email]))
    },
    selectAll: () => (state.isAll = true),
    /** Makes them members of a list. Who left the list stays out of it. */
    async addToList({ id, name }: { id: string; name: string }): Promise<boolean> {
      const count = await run('list', async (some) => {
        for (let at = 0; at < some.length; at += contactBatchMaxCount) {
          const batch = some.slice(at, at + contactBatchMaxCount)
          await upsertContacts(
            session,
            batch.map(({ email }) => ({ email, list_ids: [id] })),
          )
        }
      })
      if (count === null) return false
      const text = pageLanguage.t('{count} contact added to {name}|{count} contacts added to {name}', { count, name })
      notify({ kind: 'success', text })
      return true
    },
    /** Deletes them for good. */
    async remove(): Promise<boolean> {
      const count = await run('delete', async (some) => {
        for (let at = 0; at < some.length; at += deletedAtOnce)
          await Promise.all(some.slice(at, at + deletedAtOnce).map(({ id }) => deleteContact(session, id)))
      })
      if (count === null) return false
      notify({
        kind: 'success',
        text: pageLanguage.t('{count} contact deleted|{count} contacts deleted', { count }),
      })
      return true
    },
  }
}
