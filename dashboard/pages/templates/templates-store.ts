import { proxy, ref } from 'valtio/vanilla'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import { templateNameMaxChars } from '../../../contract/mail/template.limits.ts'
import { createTemplateOnce } from '../../../client/mail/new-template.ts'
import { deleteEmailTemplate, restoreEmailTemplate } from '../../../client/mail/template.ts'
import {
  createFailed,
  deleteFailed,
  loadFailed,
  restoreFailed,
  templateDuplicated,
} from '../../../widgets/lib/template-messages.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { readTemplate, type TemplateRecord } from '../../../widgets/lib/template-record.ts'
import { createTemplateSearch } from '../../../widgets/lib/template-search.ts'
import { followTemplates, type TemplateRows } from '../../../widgets/template-picker/lists-store.ts'
import { listLocalDrafts, removeLocalDraft } from './local-drafts.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** A row of the screen: `copy` is not saved yet and only in this browser. */
export interface TemplateRow extends TemplateRecord {
  kind: 'saved' | 'copy'
}

export interface TemplatesState {
  status: TemplateRows['status']
  /** Replaced whole, never changed in place. */
  rows: readonly TemplateRow[]
  error: string | null
  query: string
  shown: TemplateRow | null
  /** The row whose deletion awaits confirmation. */
  asked: TemplateRow | null
  deletion: 'idle' | 'deleting'
  /** The last deleted row, for undo. */
  deleted: TemplateRow | null
  undo: 'idle' | 'restoring'
}

export type TemplatesStore = ReturnType<typeof createTemplatesStore>

/** How long the search reads ahead at a time, so that typing is never held up, in ms. */
const prepareMs = 8

/** State and actions of the templates screen. `close` ends what it follows. */
export function createTemplatesStore({
  session,
  notify,
  userId,
}: {
  session: Session
  notify: Notify
  userId: string
}) {
  const state = proxy<TemplatesState>({
    status: 'loading',
    rows: ref([]),
    error: null,
    query: '',
    shown: null,
    asked: null,
    deletion: 'idle',
    deleted: null,
    undo: 'idle',
  })
  const search = createTemplateSearch<TemplateRow>()
  const known = new WeakMap<TemplateRecord, TemplateRow>()
  const list = templateList(session)
  let own: TemplateRows = { status: 'loading', items: [], error: null }
  let timer: ReturnType<typeof setTimeout> | undefined
  const followed = followTemplates(session, { source: 'own', hostedKey: '' }, (rows) => {
    own = rows
    show()
  })
  void load()

  async function load(): Promise<void> {
    await followed.load()
    if (list.state.status === 'failed') notify({ kind: 'error', text: loadFailed })
  }

  function show(): void {
    const copies = listLocalDrafts(userId).map((draft) => ({ ...readTemplate(draft, 'own'), kind: 'copy' as const }))
    const saved = own.items.map((item) => {
      const row = known.get(item) ?? { ...item, kind: 'saved' as const }
      known.set(item, row)
      return row
    })
    Object.assign(state, { status: own.status, error: own.error, rows: ref([...copies, ...saved]) })
    prepare()
  }

  function prepare(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!search.prepare(state.rows, prepareMs)) prepare()
    })
  }

  return {
    state,
    reload: load,
    find: (rows: readonly TemplateRow[], query: string) => search.find(rows, query),
    search(query: string) {
      state.query = query
    },
    preview(row: TemplateRow | null) {
      state.shown = row && ref(row)
    },
    askDelete(row: TemplateRow | null) {
      state.asked = row && ref(row)
    },
    /** Deletes the confirmed row; returns whether it succeeded. A failure is shown as a toast (decisions). */
    async delete(): Promise<boolean> {
      const row = state.asked
      if (row === null || state.deletion === 'deleting') return false
      if (row.kind === 'copy') {
        removeLocalDraft(row.id)
        show()
        return true
      }
      state.deletion = 'deleting'
      try {
        await deleteEmailTemplate(session, row.id)
        list.remove(row.id)
        state.deleted = ref(row)
        return true
      } catch (error) {
        logFailure('deleting the template', error)
        notify({ kind: 'error', text: `${deleteFailed}. ${errorText(error) ?? ''}` })
        return false
      } finally {
        state.deletion = 'idle'
      }
    },
    /** Undoes the last deletion. */
    async bringBack(): Promise<void> {
      const row = state.deleted
      if (row === null || state.undo === 'restoring') return
      state.undo = 'restoring'
      try {
        list.put(await restoreEmailTemplate(session, row.id))
        state.deleted = null
      } catch (error) {
        notify({ kind: 'error', text: `${restoreFailed}. ${errorText(error) ?? ''}` })
      } finally {
        state.undo = 'idle'
      }
    },
    async duplicate({ name, hasName, subject, body, context }: TemplateRow): Promise<void> {
      const named = hasName && { name: pageLanguage.t('Copy of {name}', { name }).slice(0, templateNameMaxChars) }
      try {
        list.put(await createTemplateOnce(session, { ...named, subject, body, context: [...context] }))
        notify({ kind: 'success', text: templateDuplicated })
      } catch (error) {
        if (!isAbort(error)) notify({ kind: 'error', text: createFailed })
      }
    },
    close() {
      clearTimeout(timer)
      followed.stop()
    },
  }
}
