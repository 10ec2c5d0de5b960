import { proxy } from 'valtio/vanilla'
import { getContactAction, startContactAction, undoContactAction } from '../../../client/audience/contact-action.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import type { ContactAction, NewContactAction } from '../../../contract/audience/contact-action.ts'
import type { Contact } from '../../../contract/audience/contact.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { queryOf } from './contacts-filter.ts'
import type { ContactsStore } from './contacts-store.ts'

type Chosen = Pick<Contact, 'id' | 'email'>

export interface SelectionState {
  /** Address of each selected contact, by id. */
  emails: Record<string, string>
  /** All that match the filter are selected, loaded or not. */
  isAll: boolean
  /** The last action, while it runs and until its bar is closed. */
  action: ContactAction | null
}

export type SelectionStore = ReturnType<typeof createSelectionStore>

const pollMs = 400

/** Which contacts are selected, and what is done to them. */
export function createSelectionStore(session: Session, contacts: ContactsStore, notify: Notify) {
  const state = proxy<SelectionState>({ emails: {}, isAll: false, action: null })
  const life = new AbortController()
  const clear = () => Object.assign(state, { emails: {}, isAll: false })

  /** Follows an action to its end; gives whether it came to one. */
  async function follow(start: Promise<ContactAction>): Promise<boolean> {
    try {
      let action = await start
      clear()
      state.action = action
      while ((action.state === 'running' || action.state === 'undoing') && !life.signal.aborted) {
        await new Promise((done) => setTimeout(done, pollMs))
        action = await getContactAction(session, action.id)
        state.action = action
      }
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
      return false
    }
    if (!life.signal.aborted) void contacts.load()
    return true
  }

  const start = (what: Omit<NewContactAction, 'ids' | 'filter'>): Promise<boolean> => {
    const { filter, fields } = contacts.state
    const which = state.isAll ? { filter: queryOf(filter, fields) } : { ids: Object.keys(state.emails) }
    return follow(startContactAction(session, { ...what, ...which }))
  }

  return {
    state,
    clear,
    /** Stops following an action; it goes on at the server. */
    close: () => life.abort(),
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
    addToList: (listId: string) => start({ kind: 'add_to_list', list_id: listId }),
    removeFromList: (listId: string) => start({ kind: 'remove_from_list', list_id: listId }),
    moveToList: (listId: string, fromListId: string) =>
      start({ kind: 'move_to_list', list_id: listId, from_list_id: fromListId }),
    /** Gives them all one value of a field; null takes the value away. */
    setField: (key: string, value: string | number | boolean | null) => start({ kind: 'set_field', field: key, value }),
    /** Deletes them for good. */
    remove: () => start({ kind: 'delete' }),
    /** Gives every contact of the last action back what it had. */
    async undo(): Promise<void> {
      if (state.action !== null) await follow(undoContactAction(session, state.action.id))
    },
    dismiss: () => (state.action = null),
  }
}
