import { and, count, eq, ne, sql } from '../core/drizzle.ts'
import type { DraftKey, DraftRow, DraftVersionRow } from '../../domain/templates/draft.ts'
import type { Database } from '../core/database.ts'
import { drafts } from '../schema/templates.ts'

/** Versions kept beside a draft that were replaced by a save which did not know them. */
const replacedMaxCount = 3

/** A replaced version as its row keeps it. */
interface Kept {
  revision: number
  content: unknown
  updated_at: string
}

/** What people are writing. Every call names the person and the workspace: what belongs to another is not there. */
export function createDraftStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  const owned = ({ workspaceId, userId }: DraftKey) =>
    and(eq(drafts.workspaceId, workspaceId), eq(drafts.userId, userId))

  return {
    async find(key: DraftKey): Promise<DraftRow | null> {
      const [row] = await orm
        .select()
        .from(drafts)
        .where(and(owned(key), eq(drafts.kind, key.kind)))
      if (row === undefined) return null
      const { revision, content, updatedAt } = row
      return { revision, content, updatedAt, replaced: (row.replaced as Kept[]).map(toVersion) }
    },

    /** How many drafts of other kinds the person has. */
    async countOthers(key: DraftKey): Promise<number> {
      const [row] = await orm
        .select({ count: count() })
        .from(drafts)
        .where(and(owned(key), ne(drafts.kind, key.kind)))
      return row?.count ?? 0
    },

    /** Saves over whatever is there, in one statement; what is newer than `baseRevision` is kept beside it. */
    async save(
      { workspaceId, userId, kind }: DraftKey,
      content: unknown,
      baseRevision: number,
    ): Promise<{ revision: number; updatedAt: Date; replaced: DraftVersionRow | null }> {
      const { rows } = await pool.query<{ revision: string; updated_at: Date; replaced: Kept | null }>({
        name: 'save_draft',
        text: saveText,
        values: [workspaceId, userId, kind, JSON.stringify(content), baseRevision],
      })
      const [row] = rows
      if (row === undefined) throw new Error('The saved draft was not given back.')
      return {
        revision: Number(row.revision),
        updatedAt: row.updated_at,
        replaced: row.replaced && toVersion(row.replaced),
      }
    },

    async remove(key: DraftKey, revision: number | null): Promise<void> {
      const which = revision === null ? sql`true` : eq(drafts.revision, revision)
      await orm.delete(drafts).where(and(owned(key), eq(drafts.kind, key.kind), which))
    },
  }
}

function toVersion({ revision, content, updated_at }: Kept): DraftVersionRow {
  return { revision, content, updatedAt: new Date(updated_at) }
}

/** A replaced version stands first in `replaced`, so the answer shows it only where its revision is beyond the base. */
const saveText = `
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
