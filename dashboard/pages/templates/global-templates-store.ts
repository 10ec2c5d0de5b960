import { proxy, ref } from 'valtio/vanilla'
import { globalTemplateList } from '../../../client/mail/global-list.ts'
import type { Session } from '../../../client/core/http.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import { createTemplateOnce } from '../../../client/mail/new-template.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { loadFailed, saveFailed, templateSaved } from '../../../widgets/lib/template-messages.ts'
import type { TemplateRecord } from '../../../widgets/lib/template-record.ts'
import { createTemplateSearch } from '../../../widgets/lib/template-search.ts'
import { followTemplates } from '../../../widgets/template-picker/lists-store.ts'
import { noRows, type TemplateRows } from '../../../widgets/template-picker/template-rows.ts'
import { addLocalDraft } from './local-drafts.ts'

export interface GlobalTemplatesState {
  list: TemplateRows
  query: string
  /** One of the categories; null shows all. */
  category: string | null
  shown: TemplateRecord | null
  /** Ids of the templates that are being saved. */
  savingIds: string[]
}

/** State and actions of the global templates screen. Nothing of it changes a global template. */
export function createGlobalTemplatesStore(deps: {
  session: Session
  notify: Notify
  userId: string
  hostedKey: string
}) {
  const { session, notify, userId, hostedKey } = deps
  const state = proxy<GlobalTemplatesState>({
    list: noRows(),
    query: '',
    category: null,
    shown: null,
    savingIds: [],
  })
  const search = createTemplateSearch<TemplateRecord>()
  const list = globalTemplateList(session, hostedKey)

  return {
    state,
    find: (rows: readonly TemplateRecord[], query: string) => search.find(rows, query),
    /** Follows the library: what an operator changes shows without a reload. Returns its undo. */
    start() {
      const followed = followTemplates(session, { source: 'global', hostedKey }, (rows) => {
        if (rows.status === 'failed' && state.list.status !== 'failed') notify({ kind: 'error', text: loadFailed })
        state.list = { ...rows, items: ref(rows.items), searched: ref(rows.searched) }
      })
      const stop = list.start()
      return () => {
        stop()
        followed.stop()
      }
    },
    reload: () => list.load(),
    search(query: string) {
      state.query = query
    },
    choose(category: string | null) {
      state.category = category
    },
    preview(template: TemplateRecord | null) {
      state.shown = template && ref(template)
    },
    /** Copies a template into the workspace; returns whether it succeeded. */
    async save({ id, name, subject, body, design, context }: TemplateRecord): Promise<boolean> {
      if (state.savingIds.includes(id)) return false
      state.savingIds.push(id)
      try {
        const content = design === null ? { body } : { design: design as object as Design }
        templateList(session).put(
          await createTemplateOnce(session, { name, subject, ...content, context: [...context] }),
        )
        notify({ kind: 'success', text: templateSaved })
        return true
      } catch {
        notify({ kind: 'error', text: saveFailed })
        return false
      } finally {
        state.savingIds = state.savingIds.filter((one) => one !== id)
      }
    },
    /** Creates a local copy to edit; returns its id, or null if the storage is full. */
    copy(template: TemplateRecord): string | null {
      try {
        return addLocalDraft(userId, template).id
      } catch {
        notify({ kind: 'error', text: saveFailed })
        return null
      }
    },
  }
}
