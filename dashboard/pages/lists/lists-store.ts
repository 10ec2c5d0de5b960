import { proxy } from 'valtio/vanilla'
import { createList, deleteList, listLists, updateList } from '../../../client/audience/list.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import type { List } from '../../../contract/audience/list.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'

/** Which dialog is open: `list` absent for a new list. */
export type ListsDialog = { kind: 'edit'; list: List | null } | { kind: 'delete'; list: List }

export interface ListsState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  /** By name. */
  items: List[]
  search: string
  dialog: ListsDialog | null
  isSaving: boolean
  isDeleting: boolean
  /** Why the last save failed. */
  problem: string | null
  /** Lists whose visibility is being saved. */
  switching: string[]
}

export interface ListTexts {
  name: string
  description: string
}

/** State and actions of the lists screen. */
export function createListsStore(session: Session, notify: Notify) {
  const state = proxy<ListsState>({
    status: 'loading',
    error: null,
    items: [],
    search: '',
    dialog: null,
    isSaving: false,
    isDeleting: false,
    problem: null,
    switching: [],
  })
  let loading = new AbortController()
  /** Positions of switches that are not saved yet, by list. */
  const wanted = new Map<string, boolean>()

  async function load(): Promise<void> {
    loading.abort()
    const { signal } = (loading = new AbortController())
    if (state.items.length === 0) state.status = 'loading'
    try {
      const items = await listLists(session, { signal })
      Object.assign(state, { status: 'ready', error: null, items })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  function put(list: List): void {
    const others = state.items.filter(({ id }) => id !== list.id)
    state.items = [...others, list].sort((a, b) => a.name.localeCompare(b.name))
  }

  return {
    state,
    load,
    /** Loads the lists; returns the undo. */
    start() {
      void load()
      return () => loading.abort()
    },
    search(text: string) {
      state.search = text
    },
    open(dialog: ListsDialog | null) {
      Object.assign(state, { dialog, problem: null })
    },
    /** Creates a list, or changes name and description of the one in the dialog. Returns whether it worked. */
    async save(texts: ListTexts): Promise<boolean> {
      const { dialog } = state
      if (dialog?.kind !== 'edit' || state.isSaving) return false
      const { list } = dialog
      Object.assign(state, { isSaving: true, problem: null })
      try {
        put(await (list === null ? createList(session, texts) : updateList(session, list.id, texts)))
        state.search = ''
        notify({ kind: 'success', text: pageLanguage.t(list === null ? 'List created' : 'List saved') })
        return true
      } catch (error) {
        state.problem = errorText(error)
        return false
      } finally {
        state.isSaving = false
      }
    },
    /**
     * Makes a list public or private. A switch that is pressed again while it is saved is saved once more; it returns to its
     * saved position where saving fails.
     */
    async setPublic({ id }: Pick<List, 'id'>, isPublic: boolean): Promise<void> {
      const shown = state.items.find((list) => list.id === id)
      if (shown === undefined) return
      let isSavedPublic = shown.is_public
      shown.is_public = isPublic
      wanted.set(id, isPublic)
      if (state.switching.includes(id)) return
      state.switching.push(id)
      try {
        for (let next = wanted.get(id); next !== undefined; next = wanted.get(id)) {
          wanted.delete(id)
          const list = await updateList(session, id, { is_public: next })
          isSavedPublic = list.is_public
          if (!wanted.has(id)) put(list)
        }
      } catch (error) {
        wanted.delete(id)
        const present = state.items.find((list) => list.id === id)
        if (present) present.is_public = isSavedPublic
        notify({ kind: 'error', text: errorText(error) ?? '' })
      } finally {
        state.switching = state.switching.filter((other) => other !== id)
      }
    },
    /** Deletes the list in the dialog. Returns whether it worked. */
    async delete(): Promise<boolean> {
      const { dialog } = state
      if (dialog?.kind !== 'delete' || state.isDeleting) return false
      state.isDeleting = true
      try {
        await deleteList(session, dialog.list.id)
        state.items = state.items.filter(({ id }) => id !== dialog.list.id)
        notify({ kind: 'success', text: pageLanguage.t('List deleted') })
        return true
      } catch (error) {
        logFailure('deleting the list', error)
        notify({ kind: 'error', text: errorText(error) ?? '' })
        return false
      } finally {
        state.isDeleting = false
      }
    },
  }
}

export type ListsStore = ReturnType<typeof createListsStore>
