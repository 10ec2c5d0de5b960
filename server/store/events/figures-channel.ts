import type { Scope } from '../../domain/auth/scope.ts'
import type { Queryable } from '../core/database.ts'

/** Channel whose notifications name a workspace whose figures have changed. */
export const figuresChannel = 'sendwright_figures'

/** Notifies every process, when the transaction is committed. */
export async function announceFigures({ workspaceId }: Scope, executor: Queryable): Promise<void> {
  await executor.query('select pg_notify($1, $2)', [figuresChannel, workspaceId])
}
