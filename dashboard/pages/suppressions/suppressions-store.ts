import { proxy } from 'valtio/vanilla'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import {
  addSuppressions,
  deleteSuppression,
  exportSuppressions,
  importSuppressions,
  listSuppressions,
} from '../../../client/audience/suppression.ts'
import type { ImportedSuppressions, Suppression, SuppressionReason } from '../../../contract/audience/suppression.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { createPagedStore } from '../../kit/paged-store.ts'
import { reasonLabels } from './reason-labels.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

export interface SuppressionFilter {
  search: string
  /** '' for any. */
  reason: SuppressionReason | ''
}

type SuppressionAct = 'adding' | 'removing' | 'restoring' | 'uploading' | 'downloading'

export interface SuppressionsState {
  /** What is being done; several things at once where the user wants that. */
  busy: SuppressionAct[]
  dialog: 'none' | 'add'
  /** The suppression whose removal awaits confirmation. */
  asked: Suppression | null
  /** The last removed suppression, for undo. */
  removed: Suppression | null
  /** What became of the last CSV. */
  imported: ImportedSuppressions | null
  /** Why the last act failed. */
  problem: string | null
}

/** The suppression list, newest first, and its actions. */
export function createSuppressionsStore(session: Session, notify: Notify) {
  const list = createPagedStore<Suppression, SuppressionFilter>({
    filter: { search: null, reason: Object.keys(reasonLabels) },
    fetch: ({ search, reason }, page, options) => {
      const wanted = { ...(search.trim() && { search: search.trim() }), ...(reason && { reason }) }
      return listSuppressions(session, { ...page, ...wanted }, options)
    },
  })
  const state = proxy<SuppressionsState>({
    busy: [],
    dialog: 'none',
    asked: null,
    removed: null,
    imported: null,
    problem: null,
  })

  /** Runs an action; returns whether it succeeded, and stores its error. */
  async function attempt(act: SuppressionAct, work: () => Promise<void>): Promise<boolean> {
    if (state.busy.includes(act)) return false
    Object.assign(state, { busy: [...state.busy, act], problem: null, imported: null })
    try {
      await work()
      return true
    } catch (error) {
      if (isAbort(error)) return false
      if (act === 'removing') {
        logFailure('removing the address', error)
        notify({ kind: 'error', text: errorText(error) ?? '' })
      } else state.problem = errorText(error)
      return false
    } finally {
      state.busy = state.busy.filter((one) => one !== act)
    }
  }

  return {
    list,
    state,
    open(change: Pick<SuppressionsState, 'dialog'> | Pick<SuppressionsState, 'asked'>) {
      Object.assign(state, { problem: null, ...change })
    },
    /** Adds addresses; existing entries stay unchanged. */
    add: (emails: string[]) =>
      attempt('adding', async () => {
        const { added } = await addSuppressions(session, { emails })
        const text =
          added === 0
            ? pageLanguage.t(
                emails.length > 1 ? 'All addresses are already on the list' : 'The address is already on the list',
              )
            : pageLanguage.t('Address added|{count} addresses added', { count: added })
        notify({ kind: 'success', text })
        await list.find({ search: '', reason: '' })
      }),
    /** Removes a suppression; `isConsented` if the recipient has asked for mail again. */
    remove: (one: Suppression, isConsented: boolean) =>
      attempt('removing', async () => {
        await deleteSuppression(session, one.id, isConsented ? { consented: true } : {})
        notify({ kind: 'success', text: pageLanguage.t('{email} can receive mail again', { email: one.email }) })
        state.removed = one
        await list.load()
      }),
    /** Undoes the last removal: the entry is restored unchanged. */
    putBack: () =>
      attempt('restoring', async () => {
        const { removed } = state
        if (removed === null) return
        const { email, reason, created_at, detail, campaign_id } = removed
        await addSuppressions(session, { emails: [email], reason, created_at, detail, campaign_id })
        if (state.removed === removed) state.removed = null
        notify({ kind: 'success', text: pageLanguage.t('Nothing is sent to {email}', { email }) })
        await list.load()
      }),
    upload: (file: Blob) =>
      attempt('uploading', async () => {
        state.imported = await importSuppressions(session, await file.text())
        await list.find({ search: '', reason: '' })
      }),
    /** Hands the CSV of the whole list to `save`. */
    download: (save: (csv: string) => void) =>
      attempt('downloading', async () => save(await exportSuppressions(session))),
  }
}

export type SuppressionsStore = ReturnType<typeof createSuppressionsStore>
