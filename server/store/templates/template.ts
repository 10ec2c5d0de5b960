import { templateKeptDays } from '../../../contract/mail/template.limits.ts'
import type { TemplatePage, TemplateRow } from '../../domain/templates/template.ts'
import type { Listed } from '../../domain/core/page.ts'
import { countRows, findRow, type Database } from '../core/database.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { selectList, setList } from '../core/sql.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

type Texts = Pick<TemplateRow, 'name' | 'subject' | 'body' | 'tags' | 'isPublic'>

const columns = selectList<TemplateRow>([
  'id',
  'key',
  'name',
  'subject',
  'body',
  'tags',
  'isPublic',
  'createdAt',
  'updatedAt',
])

/** $2: a search text or null; $3: whether only public templates are listed. */
const isListed = `workspace_id = $1 and deleted_at is null and (is_public or not $3)
  and ($2::text is null or strpos(lower(concat_ws(e'\\n', name, subject, key)), lower($2)) > 0)`

export type TemplateStore = ReturnType<typeof createTemplateStore>

/** Templates of workspaces. */
export function createTemplateStore({ pool }: Pick<Database, 'pool'>) {
  const first = async (text: string, values: unknown[]): Promise<TemplateRow | null> => {
    return findRow<TemplateRow>(pool, text, values)
  }

  return {
    /** Null where a template with this id exists or existed. */
    create: (
      { workspaceId }: Scope,
      {
        id,
        key,
        name = '',
        subject,
        body,
        tags,
        isPublic = false,
      }: Omit<Texts, 'isPublic' | 'name'> & Partial<Texts> & { id: string; key: string },
    ) =>
      first(
        `insert into templates (workspace_id, id, key, name, subject, body, tags, is_public)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (workspace_id, id) do nothing
         returning ${columns}`,
        [workspaceId, id, key, name, subject, body, tags, isPublic],
      ),

    count: ({ workspaceId }: Scope) =>
      countRows(pool, 'select count(*) from templates where workspace_id = $1 and deleted_at is null', [workspaceId]),

    async list(
      { workspaceId }: Scope,
      { search, limit, offset, after }: TemplatePage,
      shown: 'all' | 'public' = 'all',
    ): Promise<Listed<TemplateRow>> {
      const values = [workspaceId, search, shown === 'public']
      const [{ rows }, total] = await Promise.all([
        pool.query<TemplateRow & { sortAt: string }>(
          `select ${columns}, ${sortAtColumn()} from templates where ${isListed} and ${isAfter('desc', 4)}
           order by created_at desc, id desc limit $6 offset $7`,
          [...values, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from templates where ${isListed}`, values),
      ])
      return { ...toPage<TemplateRow>(rows, limit), total }
    },

    find: ({ workspaceId }: Scope, id: string, shown: 'all' | 'public' = 'all') =>
      first(
        `select ${columns} from templates
         where workspace_id = $1 and id = $2 and deleted_at is null and (is_public or not $3)`,
        [workspaceId, id, shown === 'public'],
      ),

    findByKey: ({ workspaceId }: Scope, key: string) =>
      first(`select ${columns} from templates where workspace_id = $1 and key = $2 and deleted_at is null`, [
        workspaceId,
        key,
      ]),

    async update({ workspaceId }: Scope, id: string, changes: Partial<Texts>): Promise<TemplateRow | null> {
      const { sql, values } = setList(changes, 3)
      return first(
        `update templates set ${['updated_at = now()', sql].filter(Boolean).join(', ')}
         where workspace_id = $1 and id = $2 and deleted_at is null returning ${columns}`,
        [workspaceId, id, ...values],
      )
    },

    /** Hides one template, or all where `id` is null; returns how many. */
    async remove({ workspaceId }: Scope, id: string | null): Promise<number> {
      const { rowCount } = await pool.query(
        `update templates set deleted_at = now()
         where workspace_id = $1 and ($2::uuid is null or id = $2) and deleted_at is null`,
        [workspaceId, id],
      )
      return rowCount ?? 0
    },

    /** Deletes hidden templates after 30 days. To be called periodically. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query('delete from templates where deleted_at < now() - make_interval(days => $1)', [templateKeptDays])
    },

    restore: ({ workspaceId }: Scope, id: string) =>
      first(
        `update templates set deleted_at = null
         where workspace_id = $1 and id = $2 and deleted_at > now() - make_interval(days => $3) returning ${columns}`,
        [workspaceId, id, templateKeptDays],
      ),
  }
}
