import { savedBlocksMaxCount } from '../../../contract/design/design.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { SavedBlockRow } from '../../domain/templates/saved-block.ts'
import { findRow, type Database } from '../core/database.ts'
import { selectList } from '../core/sql.ts'

const columns = selectList<SavedBlockRow>(['id', 'name', 'block', 'createdAt'])

export type SavedBlockStore = ReturnType<typeof createSavedBlockStore>

/** Saved blocks of workspaces. */
export function createSavedBlockStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async list({ workspaceId }: Scope): Promise<SavedBlockRow[]> {
      const { rows } = await pool.query<SavedBlockRow>(
        `select ${columns} from saved_blocks where workspace_id = $1 order by lower(name), id limit $2`,
        [workspaceId, savedBlocksMaxCount],
      )
      return rows
    },

    /** The same block under the same name is saved once. Null if the workspace has as many as it may have. */
    create: (
      { workspaceId }: Scope,
      { name, block, createdBy }: { name: string; block: object; createdBy: string },
    ): Promise<SavedBlockRow | null> =>
      findRow<SavedBlockRow>(
        pool,
        `with known as (
           select * from saved_blocks where workspace_id = $1 and name = $2 and block = $3::jsonb order by id limit 1
         ), added as (
           insert into saved_blocks (workspace_id, name, block, created_by)
           select $1::uuid, $2, $3::jsonb, $4::uuid where not exists (select from known)
             and (select count(*) from saved_blocks where workspace_id = $1) < $5
           returning *
         )
         select ${columns} from (select * from known union all select * from added) as kept`,
        [workspaceId, name, JSON.stringify(block), createdBy, savedBlocksMaxCount],
      ),

    /** Null fields stay; null where there is no such block. */
    update: (
      { workspaceId }: Scope,
      id: number,
      { name, block }: { name: string | null; block: object | null },
    ): Promise<SavedBlockRow | null> =>
      findRow<SavedBlockRow>(
        pool,
        `update saved_blocks set name = coalesce($3, name), block = coalesce($4::jsonb, block)
         where workspace_id = $1 and id = $2 returning ${columns}`,
        [workspaceId, id, name, block === null ? null : JSON.stringify(block)],
      ),

    async remove({ workspaceId }: Scope, id: number): Promise<boolean> {
      const { rowCount } = await pool.query('delete from saved_blocks where workspace_id = $1 and id = $2', [
        workspaceId,
        id,
      ])
      return rowCount === 1
    },
  }
}
