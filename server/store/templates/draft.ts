import type { DraftKey, DraftRow, DraftVersionRow } from '../../domain/templates/draft.ts'
import { countRows, type Database } from '../core/database.ts'
import type { drafts } from '../schema/templates.ts'
import type { Scope } from '../../domain/auth/scope.ts'

type Found = Pick<typeof drafts.$inferSelect, 'revision' | 'content' | 'updatedAt'> & { replaced: Kept[] }

/** Versions kept beside a draft: each was replaced by a save that was not based on it. */
const replacedMaxCount = 3

/** A replaced version in the row of its draft. */
interface Kept {
  revision: number
  content: unknown
  updated_at: string
}

export type DraftStore = ReturnType<typeof createDraftStore>

/** Unfinished texts of users. */
export function createDraftStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async find({ workspaceId }: Scope, { userId, kind }: DraftKey): Promise<DraftRow | null> {
      const { rows } = await pool.query<Found>(
        `select revision, content, updated_at as "updatedAt", replaced from drafts
         where workspace_id = $1 and user_id = $2 and kind = $3`,
        [workspaceId, userId, kind],
      )
      const [row] = rows
      return row === undefined ? null : { ...row, replaced: row.replaced.map(toVersion) }
    },

    /** Number of the user's drafts of other kinds. */
    countOthers: ({ workspaceId }: Scope, { userId, kind }: DraftKey) =>
      countRows(pool, 'select count(*) from drafts where workspace_id = $1 and user_id = $2 and kind <> $3', [
        workspaceId,
        userId,
        kind,
      ]),

    /** Replaces the draft in one statement; a version newer than `baseRevision` is kept beside it. */
    async save(
      { workspaceId }: Scope,
      { userId, kind }: DraftKey,
      content: unknown,
      baseRevision: number,
    ): Promise<{ revision: number; updatedAt: Date; replaced: DraftVersionRow | null }> {
      const { rows } = await pool.query<{ revision: string; updated_at: Date; replaced: Kept | null }>({
        name: 'save_draft',
        text: saveSql,
        values: [workspaceId, userId, kind, JSON.stringify(content), baseRevision],
      })
      const [row] = rows
      if (row === undefined) throw new Error('The saved draft was not returned.')
      return {
        revision: Number(row.revision),
        updatedAt: row.updated_at,
        replaced: row.replaced && toVersion(row.replaced),
      }
    },

    /** Deletes a draft; with a revision only if it still has that revision. */
    async remove({ workspaceId }: Scope, { userId, kind }: DraftKey, revision: number | null): Promise<void> {
      await pool.query(
        `delete from drafts
         where workspace_id = $1 and user_id = $2 and kind = $3 and ($4::bigint is null or revision = $4)`,
        [workspaceId, userId, kind, revision],
      )
    },
  }
}

function toVersion({ revision, content, updated_at }: Kept): DraftVersionRow {
  return { revision, content, updatedAt: new Date(updated_at) }
}

/** The latest replaced version is first in `replaced`; it is returned only if its revision is newer than the base. */
const saveSql = `
  insert into drafts as kept (workspace_id, user_id, kind, revision, content)
  values ($1, $2, $3, $5::bigint + 1, $4::json)
  on conflict (workspace_id, user_id, kind) do update set
    revision = greatest(kept.revision, $5::bigint) + 1,
    content = excluded.content,
    updated_at = now(),
    replaced = case
      when kept.revision <= $5::bigint then kept.replaced
      else (json_build_object('revision', kept.revision, 'content', kept.content, 'updated_at', kept.updated_at)
        || kept.replaced)[1:${replacedMaxCount}]
    end
  returning revision, updated_at,
    case when (replaced[1] ->> 'revision')::bigint > $5::bigint then replaced[1] end as replaced
`
