import { proxy } from 'valtio/vanilla'
import type { Config } from '../contract/config.ts'
import { listMaxCount } from '../contract/limits.ts'
import { listEmailConfigs } from './config.ts'
import { errorText, type Session } from './http.ts'

/** Under which key the session shares its list of configurations (spec §3). */
export const configListKey = 'email-config'

/** `failed` keeps the rows that were there; `error` then says why. */
export type ListStatus = 'idle' | 'loading' | 'ready' | 'failed'

/** The configurations of a session, the same object for every screen that shows them. `state` is a valtio proxy. */
export interface ConfigList {
  readonly state: { status: ListStatus; items: Config[]; error: string | null }
  /** Fetches the list; while it is being fetched, the same call. Rows that are there stay until the new ones come. */
  load(): Promise<void>
  /** Puts a configuration in, or in the place of the one with its id. */
  put(config: Config): void
  remove(id: string): void
}

/** The session's shared list of configurations; the first caller makes it. */
export function configList(session: Session): ConfigList {
  const known = session.shared.get(configListKey)
  if (known !== undefined) return known as ConfigList
  const list = createConfigList(session)
  session.shared.set(configListKey, list)
  return list
}

function createConfigList(session: Session): ConfigList {
  const state = proxy<ConfigList['state']>({ status: 'idle', items: [], error: null })
  let underWay: Promise<void> | null = null

  async function fetchAll(): Promise<void> {
    if (state.status !== 'ready') state.status = 'loading'
    try {
      const items: Config[] = []
      let totalCount = 1
      while (items.length < totalCount) {
        const page = await listEmailConfigs(session, { limit: listMaxCount, offset: items.length })
        items.push(...page.items)
        totalCount = page.items.length === 0 ? items.length : page.totalCount
      }
      Object.assign(state, { status: 'ready', items, error: null })
    } catch (error) {
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  return {
    state,
    load() {
      underWay ??= fetchAll().finally(() => (underWay = null))
      return underWay
    },
    put(config) {
      const at = state.items.findIndex((item) => item.id === config.id)
      if (at < 0) state.items.push(config)
      else state.items[at] = config
    },
    remove(id) {
      state.items = state.items.filter((item) => item.id !== id)
    },
  }
}
