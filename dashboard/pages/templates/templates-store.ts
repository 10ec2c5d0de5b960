import { proxy, ref } from 'valtio/vanilla'
import { ApiError, errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import { templateNameMaxChars } from '../../../contract/mail/template.limits.ts'
import { createTemplateOnce } from '../../../client/mail/new-template.ts'
import { deleteEmailTemplate, getEmailTemplate, restoreEmailTemplate } from '../../../client/mail/template.ts'
import {
  createFailed,
  deleteFailed,
  loadFailed,
  restoreFailed,
  templateDuplicated,
} from '../../../widgets/lib/template-messages.ts'
import type { Template } from '../../../contract/mail/template.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { readTemplate, type TemplateRecord } from '../../../widgets/lib/template-record.ts'
import { createTemplateSearch } from '../../../widgets/lib/template-search.ts'
import { followTemplates } from '../../../widgets/template-picker/lists-store.ts'
import { countFound, noRows, noSearch, type TemplateRows } from '../../../widgets/template-picker/template-rows.ts'
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
  /** What a search reads: the rows, and what the server has found beyond them. */
  searched: readonly TemplateRow[]
  /** How many there are, copies included. */
  totalCount: number
  hasMore: boolean
  /** What the server says to the query. */
  search: TemplateRows['search']
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
    ...{ rows: ref([]), searched: ref([]), totalCount: 0, hasMore: false, search: noSearch },
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
  let own = noRows()
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
    const { status, error, hasMore, items, searched } = own
    const rows = [...copies, ...items.map(rowOf)]
    Object.assign(state, {
      ...{ status, error, hasMore, totalCount: copies.length + own.totalCount, search: own.search },
      rows: ref(rows),
      searched: ref(searched === items ? rows : [...copies, ...searched.map(rowOf)]),
    })
    prepare()
  }

  function rowOf(item: TemplateRecord): TemplateRow {
    const row = known.get(item) ?? { ...item, kind: 'saved' as const }
    known.set(item, row)
    return row
  }

  function prepare(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!search.prepare(state.searched, prepareMs)) prepare()
    })
  }

  /** Lists leave the design out. */
  async function designOf(id: string): Promise<Design> {
    return (await getEmailTemplate(session, id)).design as Design
  }

  /** A design that the server cannot render, such as one of a newer edition, is copied as its HTML. */
  async function copy({ id, hasDesign, body, subject, context }: TemplateRow, named: object): Promise<Template> {
    const create = (content: { design: Design } | { body: string }) =>
      createTemplateOnce(session, { ...named, subject, ...content, context: [...context] })
    if (!hasDesign) return create({ body })
    try {
      return await create({ design: await designOf(id) })
    } catch (error) {
      const isRefused = error instanceof ApiError && error.items.some(({ type }) => type === 'design_invalid')
      if (isRefused) return create({ body })
      throw error
    }
  }

  return {
    state,
    reload: load,
    find: (rows: readonly TemplateRow[], query: string) => search.find(rows, query),
    countFound: (shownCount: number) => countFound(own, shownCount),
    search(query: string) {
      state.query = query
      followed.find(query)
    },
    loadMore: () => followed.loadMore(),
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
    async duplicate(row: TemplateRow): Promise<void> {
      const { name, hasName } = row
      const named = hasName ? { name: pageLanguage.t('Copy of {name}', { name }).slice(0, templateNameMaxChars) } : {}
      try {
        list.put(await copy(row, named))
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
