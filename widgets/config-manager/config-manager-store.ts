import { proxy } from 'valtio/vanilla'
import type { ConfigList } from '../../client/config-list.ts'
import type { Session } from '../../client/http.ts'
import type { Config } from '../../contract/config.ts'
import type { Provider } from '../../contract/limits.ts'
import { configDeleted } from '../lib/config-messages.ts'
import type { Notify } from '../lib/notify.ts'

/** Where the add form should put the focus, and the mailbox that it should be filled with. */
export interface FormGoal {
  field: 'email_address' | 'app_password'
  mailbox: { email_address: string; provider: Provider } | null
}

/** What the view reads. */
export interface ConfigManagerState {
  list: ConfigList['state']
  /** What somebody looks for in a long list. */
  filter: string
  /** The row whose deletion is being asked about. */
  asked: Config | null
  deletion: 'idle' | 'deleting'
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

  return {
    state,
    session,
    reload,
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
