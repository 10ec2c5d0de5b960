import { proxy, ref, subscribe } from 'valtio/vanilla'
import { notLoaded, sendFailed } from '../lib/compose-messages.ts'
import { emptyDraft, onlySender, type ComposeState, type Draft } from './compose-state.ts'
import type { ComposeDeps, ComposeStore } from './compose-types.ts'

/** State and actions of one composer. `close` ends its timers; a send that is under way still ends well. */
export function createComposeStore({ hide = [], readonly = [], mode = 'text', ...deps }: ComposeDeps): ComposeStore {
  const state = proxy<ComposeState>({
    status: 'editing',
    draft: emptyDraft(mode),
    senderId: '',
    entry: '',
    problem: null,
    sent: null,
    launched: null,
    held: null,
    undo: null,
    report: null,
    mapped: '',
    tags: [],
    picker: 'closed',
    keptNote: null,
    other: null,
    configs: { status: 'loading', items: [], error: null },
    hide,
    readonly,
  })
  /** Null once the composer is closed: the list lives on with the session. */
  let stopSenders: (() => void) | null = () => undefined
  let adding: Promise<void> = Promise.resolve()

  const store: ComposeStore = {
    ...deps,
    state,
    pressed: [],
    set(change) {
      Object.assign(state, change)
    },
    choose(secretKey: string) {
      state.senderId = state.configs.items.find((config) => config.secret_key === secretKey)?.id ?? ''
      state.draft.from = secretKey
    },
    write(change: Partial<Draft>) {
      if (change.recipients) change.recipients = ref(change.recipients as object) as Draft['recipients']
      if (change.design) change.design = ref(change.design)
      // HTML that comes from elsewhere, such as a template's, is source.
      const { messageBody = '', mode } = change
      const isSource = messageBody !== '' && mode === undefined && messageBody !== state.draft.messageBody
      Object.assign(state.draft, isSource && { mode: 'html', design: null, text: '' }, change)
    },
    /** One after the other, so that they stay in their order; a launch waits for those under way. */
    addRecipients(from: string | File): Promise<void> {
      adding = adding
        .then(() => import('./recipients/recipient-store.ts'))
        .then(({ add }) => add(store, from))
        .catch(() => {
          // The part did not come: a text stays as it is, unread; a file is marked.
          const [text, problem] = typeof from === 'string' ? [from, null] : [from.name, notLoaded]
          store.write({ recipients: [...state.draft.recipients, { text, key: text, problem }] })
        })
      return adding
    },
    /** Turns the text of the box into recipients. */
    async addEntry() {
      const { entry } = state
      state.entry = ''
      if (entry.trim() !== '') await store.addRecipients(entry)
    },
    /** The client comes after the form: it can be typed into meanwhile. */
    async reloadSenders(): Promise<void> {
      try {
        const { mailboxList } = await import('../../client/mail/mailbox-list.ts')
        if (stopSenders === null) return
        const list = mailboxList(deps.session)
        state.configs = list.state
        stopSenders()
        stopSenders = subscribe(list.state, findSender)
        findSender()
        await list.load()
      } catch {
        state.configs = { status: 'failed', items: [], error: null } // The part did not come; 'Try Again' asks for it again.
      }
    },
    /** Sends, or says why not; asks first where something would be left out. */
    async launch(isLater = false) {
      if (state.status === 'sending') return
      state.isLater = isLater
      store.settle?.()
      await Promise.all([adding, store.addEntry()])
      try {
        await (await import('./send/launch-store.ts')).launch(store)
      } catch {
        Object.assign(state, { status: 'failed', problem: { title: sendFailed, text: notLoaded } })
      }
    },
    close() {
      keeper?.close()
      stopSenders?.()
      stopSenders = null
    },
  }
  const keeper = deps.drafts?.(store)
  void store.reloadSenders()
  return store

  /** The same mailbox under the key that it has now; the only one at first, none when it is gone. */
  function findSender(): void {
    const { status, items } = state.configs
    if (status !== 'ready') return
    state.senderId ||= onlySender(state)?.id ?? ''
    state.draft.from = items.find((config) => config.id === state.senderId)?.secret_key ?? ''
  }
}
