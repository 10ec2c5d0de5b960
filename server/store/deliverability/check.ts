import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import { findRow, type Database } from '../core/database.ts'

/** A finished check; `parts` as JSON. */
export interface CheckRow {
  id: string
  contentHash: Buffer
  score: number
  parts: unknown
  finishedAt: Date
}

export type CheckStore = ReturnType<typeof createCheckStore>

/** Checks before sending, kept for 30 days. */
export function createCheckStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async add(
      { workspaceId }: Scope,
      { id, contentHash, score, parts, finishedAt }: CheckRow,
      { configId, startedAt }: { configId: string; startedAt: Date },
    ): Promise<void> {
      await pool.query(
        `insert into deliverability_checks (workspace_id, id, owner_kind, owner_id, content_hash, config_id, state,
           findings, score, started_at, finished_at)
         values ($1, $2, 'draft', '', $3, $4, 'done', $5, $6, $7, $8)`,
        [workspaceId, id, contentHash, configId, JSON.stringify(parts), score, startedAt, finishedAt],
      )
    },

    find: ({ workspaceId }: Scope, id: string): Promise<CheckRow | null> =>
      findRow<CheckRow>(
        pool,
        `select id, content_hash as "contentHash", score, findings as parts, finished_at as "finishedAt"
         from deliverability_checks where workspace_id = $1 and id = $2`,
        [workspaceId, id],
      ),

    /** Deletes checks of all workspaces after 30 days. */
    async prune(_system: SystemScope, now: Date): Promise<void> {
      await pool.query('delete from deliverability_checks where started_at < $1', [
        new Date(now.getTime() - 30 * 86_400_000),
      ])
    },
  }
}
