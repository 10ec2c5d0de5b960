import { proxy } from 'valtio/vanilla'
import type { MailboxList, MailboxRows } from '../../client/mail/mailbox-list.ts'
import type { Session } from '../../client/core/http.ts'
import type { Config, ConfigUsage } from '../../contract/mail/config.ts'
import type { Provider } from '../../contract/mail/config.limits.ts'
import type { Notify } from '../lib/notify.ts'
import type { ConfigAct } from './acts-store.ts'
import type { Message } from '../lib/messages/message.ts'

/** Where the add form should put the focus, and the mailbox that it should be filled with. */
export interface FormGoal {
  field: 'email_address' | 'app_password'
  mailbox: { email_address: string; provider: Provider } | null
}

/** How often meters are read again. */
const usageEveryMs = 20_000

/** What a dialog asks about a mailbox. */
export type ConfigQuestion = 'delete' | 'rotate' | 'limits'

/** What the view reads. */
export interface ConfigManagerState {
  list: MailboxRows
  /** Search text of a long list. */
  filter: string
  /** What is being asked about which row. */
  asked: { what: ConfigQuestion; config: Config } | null
  /** What mailboxes have used, by id; empty until it came. */
  usage: Record<string, ConfigUsage>
  /** What is being done, as `test cfg_1`: with several mailboxes at once where the user wants that. */
  acts: string[]
  /** A new object for each request to move to the add form. */
  goal: FormGoal | null
}

export interface ConfigManagerDeps {
  session: Session
  notify: Notify
  onSaved?: (config: Config) => void
  onDeleted?: (config: Config) => void
}

export type ConfigManagerStore = ReturnType<typeof createConfigManagerStore>

/** State and actions of one configuration manager; the add form has a store of its own. */
export function createConfigManagerStore({ session, notify, onSaved, onDeleted }: ConfigManagerDeps) {
  const state = proxy<ConfigManagerState>({
    list: { status: 'loading', items: [], error: null },
    filter: '',
    asked: null,
    usage: {},
    acts: [],
    goal: null,
  })
  let list: MailboxList | null = null
  const forms = new Map<string, unknown>()
  void reload()

  async function reload(): Promise<void> {
    try {
      const { mailboxList } = await import('../../client/mail/mailbox-list.ts')
      list = mailboxList(session)
      state.list = list.state
      await list.load()
    } catch (error) {
      state.list = { status: 'failed', items: [], error: String(error) } // The part did not come; 'Try Again' asks again.
    }
  }

  async function refreshUsage(): Promise<void> {
    try {
      const { loadUsage } = await import('./acts-store.ts')
      state.usage = await loadUsage(session)
    } catch {
      // The meters keep their values: they are refreshed again, and the list shows the error.
    }
  }

  return {
    state,
    session,
    reload,
    /** Keeps the meters up to date while they are looked at. Returns its undo. */
    watchUsage() {
      void refreshUsage()
      const timer = setInterval(() => {
        if (!document.hidden) void refreshUsage()
      }, usageEveryMs)
      return () => clearInterval(timer)
    },
    /** Runs an action on a mailbox; returns whether it succeeded. The outcome is shown as a toast (decisions). */
    async act(config: Config, what: ConfigAct): Promise<boolean> {
      const name = `${what} ${config.id}`
      if (state.acts.includes(name)) return false
      state.acts.push(name)
      const { act } = await import('./acts-store.ts')
      const outcome = await act(session, config, what)
      state.acts = state.acts.filter((one) => one !== name)
      if ('problem' in outcome) {
        notify({ kind: 'error', text: outcome.problem })
        return false
      }
      if (outcome.config === 'gone') {
        list?.remove(config.id)
        onDeleted?.(config)
      } else if (outcome.config !== 'unchanged') list?.put(outcome.config)
      notify({ kind: outcome.config === 'gone' ? 'info' : 'success', ...outcome.toast })
      if (what === 'test') void refreshUsage()
      return true
    },
    /** The store of a form; the same one when its view is drawn again after a fault. */
    formStore<Store>(name: 'add' | 'limits', make: () => Store): Store {
      if (!forms.has(name)) forms.set(name, make())
      return forms.get(name) as Store
    },
    /** Null once nothing is asked any more. */
    ask(what: ConfigQuestion | null, config?: Config) {
      forms.delete('limits')
      state.asked = what && config ? { what, config: { ...config } } : null
    },
    /** Its limits were changed. */
    async limited(saved: Message): Promise<void> {
      await refreshUsage()
      notify({ kind: 'success', ...saved })
    },
    setFilter(text: string) {
      state.filter = text
    },
    goToForm(field: FormGoal['field'] = 'email_address', mailbox: FormGoal['mailbox'] = null) {
      state.goal = { field, mailbox }
    },
    /** A mailbox was connected. */
    saved(config: Config) {
      list?.put(config)
      onSaved?.(config)
    },
  }
}
