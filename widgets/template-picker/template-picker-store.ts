import { proxy, ref } from 'valtio/vanilla'
import type { Session } from '../../client/core/http.ts'
import type { Notify } from '../lib/notify.ts'
import { loadFailed, notReached } from '../lib/template-messages.ts'
import type { TemplateRecord, TemplateSource } from '../lib/template-record.ts'
import type { FollowedTemplates, TemplateRows } from './lists-store.ts'

/** What the view reads. */
export interface TemplatePickerState extends Record<TemplateSource, TemplateRows> {
  sources: TemplateSource[]
  /** Whose templates are shown. */
  source: TemplateSource
  query: string
  dialog: 'closed' | 'create'
}

export interface TemplatePickerDeps {
  session: Session
  notify: Notify
  /** What a new template begins with. */
  draft: { subject: string; body: string }
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
          state[source] = { ...rows, items: ref(rows.items) }
        })
      followed.set(source, list)
      await list.load()
    } catch {
      state[source] = { ...noRows(), status: 'failed', error: notReached } // The part did not come; 'Try Again' asks for it again.
    }
    if (state[source].status === 'failed') notify({ kind: 'error', text: loadFailed })
  }

  return {
    state,
    session,
    notify,
    draft,
    reload: load,
    show(source: TemplateSource) {
      state.source = source
    },
    search(query: string) {
      state.query = query
    },
    pick: deps.onPicked,
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

function noRows(): TemplateRows {
  return { status: 'loading', items: ref([]), error: null }
}
