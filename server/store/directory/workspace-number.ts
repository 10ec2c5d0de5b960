import { LRUCache } from 'lru-cache'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { Queryable } from '../core/database.ts'

const cachedMaxCount = 100_000

export type WorkspaceNumbers = ReturnType<typeof createWorkspaceNumbers>

/** Short numbers of workspaces, which the tokens in mails contain. They never change, so each is read once. */
export function createWorkspaceNumbers(pool: Queryable) {
  const numbers = new LRUCache<string, number>({ max: cachedMaxCount })
  const ids = new LRUCache<number, string>({ max: cachedMaxCount })
  return {
    /** Throws for a workspace that does not exist. */
    async numberOf({ workspaceId }: Scope): Promise<number> {
      const known = numbers.get(workspaceId)
      if (known !== undefined) return known
      const { rows } = await pool.query<{ no: number }>('select no from workspace_directory where workspace_id = $1', [
        workspaceId,
      ])
      const [found] = rows
      if (found === undefined) throw new Error('The workspace has no number')
      numbers.set(workspaceId, found.no)
      return found.no
    },

    /** Ids of the workspaces with these numbers, by number; those that do not exist are left out. */
    async findWorkspaces(_system: SystemScope, wanted: Iterable<number>): Promise<ReadonlyMap<number, string>> {
      const found = new Map<number, string>()
      const missing: number[] = []
      for (const no of new Set(wanted)) {
        const id = ids.get(no)
        if (id === undefined) missing.push(no)
        else found.set(no, id)
      }
      if (missing.length === 0) return found
      const { rows } = await pool.query<{ no: number; id: string }>(
        'select no, workspace_id as id from workspace_directory where no = any($1::bigint[])',
        [missing],
      )
      for (const { no, id } of rows) {
        ids.set(no, id)
        found.set(no, id)
      }
      return found
    },

    /** The workspace of a message; null if it does not exist. For links that do not contain the workspace. */
    async findWorkspaceOfMessage(_system: SystemScope, messageId: string): Promise<string | null> {
      const { rows } = await pool.query<{ id: string }>('select workspace_id as id from messages where id = $1', [
        messageId,
      ])
      return rows[0]?.id ?? null
    },
  }
}
