import type { AgentFacts } from '../../domain/events/hit.ts'
import type { Queryable } from '../core/database.ts'

export interface KnownAgent extends AgentFacts {
  id: number
  hash: string
}

/** Agents that a process keeps in memory. */
const cachedMaxCount = 20_000

/** Reads user agents, each once for a process. */
export class AgentCache {
  readonly #byHash = new Map<string, KnownAgent>()
  readonly #byId = new Map<number, KnownAgent>()

  async load(hashes: readonly (string | null)[], ids: readonly (number | null)[], executor: Queryable): Promise<void> {
    if (this.#byHash.size > cachedMaxCount) {
      this.#byHash.clear()
      this.#byId.clear()
    }
    const unknown = new Set(hashes.filter((hash) => hash !== null && !this.#byHash.has(hash)))
    const unknownIds = new Set(ids.filter((id) => id !== null && !this.#byId.has(id)))
    if (unknown.size + unknownIds.size === 0) return
    const { rows } = await executor.query<KnownAgent>(
      `select id, encode(hash, 'hex') as hash, text, os, verdict from user_agents
       where hash = any(select decode(h, 'hex') from unnest($1::text[]) as h) or id = any($2::int[])`,
      [[...unknown], [...unknownIds]],
    )
    for (const agent of rows) {
      this.#byHash.set(agent.hash, agent)
      this.#byId.set(agent.id, agent)
    }
  }

  byHash = (hash: string | null): KnownAgent | null => (hash === null ? null : (this.#byHash.get(hash) ?? null))
  byId = (id: number | null): KnownAgent | null => (id === null ? null : (this.#byId.get(id) ?? null))
}
