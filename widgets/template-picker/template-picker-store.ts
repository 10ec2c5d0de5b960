import { proxy, ref } from 'valtio/vanilla'
import type { Session } from '../../client/core/http.ts'
import type { Design } from '../../contract/design/design.ts'
import type { Notify } from '../lib/notify.ts'
import { loadFailed, notReached } from '../lib/template-messages.ts'
import type { TemplateRecord, TemplateSource } from '../lib/template-record.ts'
import type { FollowedTemplates } from './lists-store.ts'
import { noRows, type TemplateRows } from './template-rows.ts'

/** What the view reads. */
export interface TemplatePickerState extends Record<TemplateSource, TemplateRows> {
  sources: TemplateSource[]
  /** Whose templates are shown. */
  source: TemplateSource
  query: string
  dialog: 'closed' | 'create'
}

/** A message that a template is made of; with a design, `body` is the HTML and `words` the text of it. */
export interface TemplateDraft {
  subject: string
  body: string
  design?: Design | null
  words?: string
  preheader?: string
}

export interface TemplatePickerDeps {
  session: Session
  notify: Notify
  /** What a new template begins with. */
  draft: TemplateDraft
  sources: readonly TemplateSource[]
  /** Read key of the global templates; without one only own templates are offered. */
  hostedKey: string
  /** Whether there is a list to load. */
  isPicking: boolean
  onPicked: (template: TemplateRecord) => void
}

export type TemplatePickerStore = ReturnType<typeof createTemplatePickerStore>

/** State and actions of one template picker. `close` ends what it follows. */
export function createTemplatePickerStore(deps: TemplatePickerDeps) {
  const { session, notify, draft, hostedKey } = deps
  const sources = deps.sources.filter((source) => source === 'own' || hostedKey !== '')
  const state = proxy<TemplatePickerState>({
    sources,
    source: sources[0] ?? 'own',
    query: '',
    own: noRows(),
    global: noRows(),
    dialog: 'closed',
  })
  const followed = new Map<TemplateSource, FollowedTemplates>()
  let isClosed = false
  let createStore: unknown
  if (deps.isPicking) for (const source of sources) void load(source)

  async function load(source: TemplateSource): Promise<void> {
    if (state[source].status === 'failed') state[source].status = 'loading'
    try {
      const { followTemplates } = await import('./lists-store.ts')
      if (isClosed) return
      const list =
        followed.get(source) ??
        followTemplates(session, { source, hostedKey }, (rows) => {
          state[source] = { ...rows, items: ref(rows.items), searched: ref(rows.searched) }
        })
      followed.set(source, list)
      list.find(state.query)
      await list.load()
    } catch {
      state[source] = noRows(notReached) // The part did not come; 'Try Again' asks for it again.
    }
    if (state[source].status === 'failed') notify({ kind: 'error', text: loadFailed })
  }

  return {
    state,
    session,
    notify,
    /** What a new template begins with; beside the list it is written as code. */
    draftOf: (): TemplateDraft => (deps.isPicking ? { subject: draft.subject, body: draft.body } : draft),
    reload: load,
    show(source: TemplateSource) {
      state.source = source
    },
    search(query: string) {
      state.query = query
      for (const list of followed.values()) list.find(query)
    },
    /** Loads further templates of the shown source. */
    loadMore(): void {
      followed.get(state.source)?.loadMore()
    },
    /** Lists of own templates leave out documents: that of the chosen one is fetched. */
    async pick(template: TemplateRecord): Promise<void> {
      if (template.source === 'global' || !template.hasDesign) {
        deps.onPicked(template)
        return
      }
      try {
        const { readWhole } = await import('./lists-store.ts')
        const whole = await readWhole(session, template.id)
        if (!isClosed) deps.onPicked(whole)
      } catch {
        notify({ kind: 'error', text: loadFailed })
      }
    },
    /** The store of the create-template dialog; the same one when the dialog is drawn again after a fault. */
    createStore: <Store>(make: () => Store) => (createStore ??= make()) as Store,
    openCreate() {
      state.dialog = 'create'
    },
    closeCreate() {
      state.dialog = 'closed'
      createStore = undefined
    },
    close() {
      isClosed = true
      for (const list of followed.values()) list.stop()
    },
  }
}
