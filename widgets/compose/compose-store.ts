import { proxy, snapshot, subscribe, type Snapshot } from 'valtio/vanilla'
import type { ConfigList } from '../../client/config-list.ts'
import type { Session } from '../../client/http.ts'
import type { Accepted } from '../../contract/message.ts'
import { fillRequired, notLoaded, sendFailed, sent, type checklist } from '../lib/messages.ts'
import type { Notify } from '../lib/notify.ts'
import type { Recipient } from '../lib/recipients.ts'

/** What is being written (spec §3). `from` is a configuration's secret key. */
export interface Draft {
  from: string
  subject: string
  messageBody: string
  recipients: Recipient[]
  /** Values of the merge variables, the same for every recipient. */
  context: Record<string, string>
}

/** A draft as it is kept: the sender by its id, for a secret key is kept nowhere. */
export interface KeptDraft extends Omit<Draft, 'from' | 'recipients'> {
  configId: string
  recipients: string[]
}

/** Where a draft survives a reload; `write(null)` forgets it. */
export interface DraftStorage {
  read(): KeptDraft | null
  write(draft: KeptDraft | null): void
}

export type ComposeStatus = 'editing' | 'asking' | 'sending' | 'sent' | 'failed'

/** What the view reads. `problem` is the banner's text while `failed`; `sent` the last message that was accepted. */
export interface ComposeState {
  status: ComposeStatus
  draft: Draft
  /** What stands in the recipients box and is no recipient yet. */
  entry: string
  problem: { title: string; text: string | null } | null
  sent: Accepted | null
  /** When the draft was last kept, in ms since 1970; null before. */
  keptAt: number | null
  configs: ConfigList['state']
}

export interface ComposeDeps {
  session: Session
  notify: Notify
  drafts?: DraftStorage | undefined
  /** Told once the server has accepted a message. */
  onSent?: (accepted: Accepted) => void
}

export type ComposeStore = ReturnType<typeof createComposeStore>

/** How long typing rests before the draft is kept. */
const keepAfterMs = 400

/** State and actions of one composer. `close` ends its timers; a send that is under way still ends well. */
export function createComposeStore({ session, notify, drafts, onSent }: ComposeDeps) {
  const state = proxy<ComposeState>({
    status: 'editing',
    draft: emptyDraft(),
    entry: '',
    problem: null,
    sent: null,
    keptAt: null,
    configs: { status: 'loading', items: [], error: null },
  })
  let configId = ''
  let stopSenders = (): void => undefined
  let keeping: ReturnType<typeof setTimeout> | undefined

  const kept = drafts?.read()
  if (kept) {
    const { subject, messageBody, context } = kept
    configId = kept.configId
    Object.assign(state.draft, { subject, messageBody, context })
    void addRecipients(kept.recipients.join('\n'))
  }
  const stopDraft = subscribe(state.draft, () => {
    clearTimeout(keeping)
    keeping = setTimeout(keepDraft, keepAfterMs)
  })
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
    if (status === 'ready') state.draft.from = items.find((config) => config.id === configId)?.secret_key ?? ''
  }

  function keepDraft(): void {
    clearTimeout(keeping)
    if (drafts === undefined) return
    const { subject, messageBody, context } = snapshot(state.draft)
    const recipients = [...state.draft.recipients.map(({ text }) => text), state.entry].filter(
      (text) => text.trim() !== '',
    )
    const isEmpty = subject + messageBody + configId === '' && recipients.length === 0
    drafts.write(isEmpty ? null : { configId, subject, messageBody, context, recipients })
    state.keptAt = isEmpty ? null : Date.now()
  }

  async function addRecipients(text: string): Promise<void> {
    const { readRecipients } = await import('../lib/recipients.ts')
    state.draft.recipients.push(...readRecipients(text))
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
    configId = ''
    Object.assign(state.draft, emptyDraft())
    Object.assign(state, { status: 'sent', sent: outcome.accepted })
    keepDraft()
    notify({ kind: 'success', text: sent })
    onSent?.(outcome.accepted)
  }

  return {
    state,
    session,
    addRecipients,
    choose(secretKey: string) {
      configId = state.configs.items.find((config) => config.secret_key === secretKey)?.id ?? ''
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
      if (state.entry.trim() !== '') await this.addEntry()
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
    keepDraft,
    close() {
      keepDraft()
      stopDraft()
      stopSenders()
    },
  }
}

/** What a draft still needs before it can be launched, in the order of the form. */
export function missingParts({
  from,
  subject,
  messageBody,
  recipients,
}: Snapshot<Draft>): (keyof Draft & keyof typeof checklist)[] {
  const has = {
    from: from !== '',
    subject: subject.trim() !== '',
    messageBody: messageBody.trim() !== '',
    recipients: recipients.length > 0,
  }
  return (Object.keys(has) as (keyof typeof has)[]).filter((part) => !has[part])
}

function emptyDraft(): Draft {
  return { from: '', subject: '', messageBody: '', recipients: [], context: {} }
}
