import { proxy, subscribe } from 'valtio/vanilla'
import type { Session } from '../../client/http.ts'
import type { Accepted } from '../../contract/message.ts'
import { fillRequired, notLoaded, sendFailed, sent } from '../lib/compose-messages.ts'
import type { Notify } from '../lib/notify.ts'
import { emptyDraft, missingParts, type ComposeState, type Draft } from './compose-state.ts'
import type { DraftKeeper } from './draft-store.ts'

export interface ComposeDeps {
  session: Session
  notify: Notify
  drafts?: DraftKeeper | undefined
  /** Told once the server has accepted a message. */
  onSent?: (accepted: Accepted) => void
}

export type ComposeStore = ReturnType<typeof createComposeStore>

/** State and actions of one composer. `close` ends its timers; a send that is under way still ends well. */
export function createComposeStore({ session, notify, drafts, onSent }: ComposeDeps) {
  const state = proxy<ComposeState>({
    status: 'editing',
    draft: emptyDraft(),
    senderId: '',
    entry: '',
    problem: null,
    sent: null,
    keptNote: null,
    configs: { status: 'loading', items: [], error: null },
  })
  let stopSenders = (): void => undefined
  let adding: Promise<void> = Promise.resolve()

  const keeper = drafts?.({ state, addRecipients })
  void loadSenders()

  /** The client comes after the form: it can be typed into meanwhile. */
  async function loadSenders(): Promise<void> {
    try {
      const { configList } = await import('../../client/config-list.ts')
      const list = configList(session)
      state.configs = list.state
      stopSenders()
      stopSenders = subscribe(list.state, findSender)
      findSender()
      await list.load()
    } catch {
      state.configs = { status: 'failed', items: [], error: null } // The part did not come; 'Try Again' asks for it again.
    }
  }

  /** The same mailbox under the key that it has now; none when it is gone. */
  function findSender(): void {
    const { status, items } = state.configs
    if (status === 'ready') state.draft.from = items.find((config) => config.id === state.senderId)?.secret_key ?? ''
  }

  /** One after the other, so that they stay in their order; a launch waits for those under way. */
  function addRecipients(text: string): Promise<void> {
    const reading = import('../lib/recipients.ts').then(
      ({ readRecipients }) => readRecipients(text),
      () => [{ text, problem: null }], // The part did not come: the entry stays as it is, unread.
    )
    adding = Promise.all([reading, adding]).then(([read]) => void state.draft.recipients.push(...read))
    return adding
  }

  function fail(title: string, text: string | null = null): void {
    Object.assign(state, { status: 'failed', problem: { title, text } })
  }

  async function send(): Promise<void> {
    Object.assign(state, { status: 'sending', problem: null })
    const outcome = await import('./launch-store.ts').then(
      ({ sendDraft }) => sendDraft(session, state.draft),
      () => ({ reason: notLoaded }),
    )
    if ('reason' in outcome) {
      fail(sendFailed, outcome.reason)
      return
    }
    Object.assign(state.draft, emptyDraft())
    Object.assign(state, { status: 'sent', sent: outcome.accepted, senderId: '' })
    keeper?.keep()
    notify({ kind: 'success', text: sent })
    onSent?.(outcome.accepted)
  }

  return {
    state,
    session,
    addRecipients,
    choose(secretKey: string) {
      state.senderId = state.configs.items.find((config) => config.secret_key === secretKey)?.id ?? ''
      state.draft.from = secretKey
    },
    write(change: Partial<Pick<Draft, 'subject' | 'messageBody'>>) {
      Object.assign(state.draft, change)
    },
    /** What somebody types into the recipients box. */
    typeEntry(text: string) {
      state.entry = text
    },
    /** A merge variable's value. */
    setValue(name: string, value: string) {
      state.draft.context[name] = value
    },
    /** Turns what stands in the box into recipients. */
    async addEntry() {
      const { entry } = state
      state.entry = ''
      if (entry.trim() !== '') await addRecipients(entry)
    },
    removeRecipient(at: number) {
      state.draft.recipients.splice(at, 1)
    },
    reloadSenders: loadSenders,
    /** Sends, or says why not; with marked entries it asks first. */
    async launch() {
      if (state.status === 'sending') return
      await Promise.all([adding, this.addEntry()])
      if (missingParts(state.draft).length > 0) {
        fail(fillRequired)
        return
      }
      const { recipients } = state.draft
      const marked = recipients.filter(({ problem }) => problem !== null)
      if (marked.length > 0 && marked.length < recipients.length) state.status = 'asking'
      else await send()
    },
    /** The answer to 'Send to the other …?'. */
    async answer(yes: boolean) {
      state.status = 'editing'
      if (yes) await send()
    },
    close() {
      keeper?.close()
      stopSenders()
    },
  }
}
