import { proxy } from 'valtio/vanilla'
import type { ConfigList } from '../../client/config-list.ts'
import type { Session } from '../../client/http.ts'
import type { Config, ConfigUsage } from '../../contract/config.ts'
import type { Provider } from '../../contract/limits.ts'
import { configDeleted } from '../lib/config-messages.ts'
import type { Notify } from '../lib/notify.ts'
import type { ConfigAct } from './acts-store.ts'

/** Where the add form should put the focus, and the mailbox that it should be filled with. */
export interface FormGoal {
  field: 'email_address' | 'app_password'
  mailbox: { email_address: string; provider: Provider } | null
}

/** How often meters are read again. */
const usageEveryMs = 20_000

/** What the view reads. */
export interface ConfigManagerState {
  list: ConfigList['state']
  /** What somebody looks for in a long list. */
  filter: string
  /** The row whose deletion is being asked about. */
  asked: Config | null
  deletion: 'idle' | 'deleting'
  /** What mailboxes have used, by id; empty until it came. */
  usage: Record<string, ConfigUsage>
  /** What is being done with which mailbox; null while nothing is. */
  act: { id: string; what: ConfigAct } | null
  /** The row whose new key is being asked about. */
  askedKey: Config | null
  /** A new object each time somebody wants to go to the add form. */
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
    deletion: 'idle',
    usage: {},
    act: null,
    askedKey: null,
    goal: null,
  })
  let list: ConfigList | null = null
  void reload()

  async function reload(): Promise<void> {
    try {
      const { configList } = await import('../../client/config-list.ts')
      list = configList(session)
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
      // The meters stay as they were: they come again by themselves, and the list tells what is wrong.
    }
  }

  return {
    state,
    session,
    reload,
    /** Keeps the meters up to date while they are looked at. Gives its undo. */
    watchUsage() {
      void refreshUsage()
      const timer = setInterval(() => {
        if (!document.hidden) void refreshUsage()
      }, usageEveryMs)
      return () => clearInterval(timer)
    },
    /** Pauses a mailbox, lets it go on, has it send a test, or gives it a new key; the outcome is shown as a toast. */
    async act(config: Config, what: ConfigAct): Promise<void> {
      if (state.act !== null) return
      state.act = { id: config.id, what }
      const { act } = await import('./acts-store.ts')
      const outcome = await act(session, config, what)
      state.act = null
      if ('problem' in outcome) {
        notify({ kind: 'error', text: outcome.problem })
        return
      }
      if (outcome.config !== null) list?.put(outcome.config)
      notify({ kind: 'success', text: outcome.said })
      if (what === 'test') void refreshUsage()
    },
    askKey(config: Config | null) {
      state.askedKey = config && { ...config }
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
    askDelete(config: Config) {
      state.asked = { ...config }
    },
    keep() {
      state.asked = null
    },
    /** Deletes the row that was asked about; tells whether it is gone. A failure is shown as a toast (decisions). */
    async delete(): Promise<boolean> {
      const config = state.asked
      if (config === null || state.deletion === 'deleting') return false
      state.deletion = 'deleting'
      const { deleteConfig } = await import('./delete-store.ts')
      const problem = await deleteConfig(session, config.id)
      state.deletion = 'idle'
      if (problem !== null) {
        notify({ kind: 'error', text: problem })
        return false
      }
      list?.remove(config.id)
      notify({ kind: 'info', text: configDeleted(config.email_address) })
      onDeleted?.(config)
      return true
    },
  }
}
