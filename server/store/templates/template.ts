import { templateKeptDays, templateVersionsMaxCount } from '../../../contract/mail/template.limits.ts'
import type { ListedTemplate, TemplatePage, TemplateRow, TemplateVersionRow } from '../../domain/templates/template.ts'
import type { Listed } from '../../domain/core/page.ts'
import { countRows, findRow, type Database } from '../core/database.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { selectList, setList } from '../core/sql.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

/** What a save writes. */
export type TemplateContent = Pick<
  TemplateRow,
  'name' | 'subject' | 'body' | 'tags' | 'isPublic' | 'mode' | 'design' | 'preheader'
>

const listed = [
  ...(['id', 'key', 'name', 'subject', 'body', 'tags', 'mode', 'preheader', 'revision'] as const),
  ...(['isPublic', 'createdAt', 'updatedAt'] as const),
]
const listedColumns = selectList<ListedTemplate>(listed)
const columns = selectList<TemplateRow>(listed, ['design'])

/** $2: patterns of searched words or null; $3: whether only public templates are listed; $4: whether the body is searched. */
const isListed = `workspace_id = $1 and deleted_at is null and (is_public or not $3)
  and ($2::text[] is null or lower(concat_ws(e'\\n', name, subject, key, array_to_string(tags, e'\\n')))
    || case when $4 then e'\\n' || body_text else '' end like all ($2))`

const toPatterns = (words: readonly string[]) => words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)

interface NewTemplate {
  id: string
  key: string
}

const toJson = (design: unknown) => (design === null ? null : JSON.stringify(design))

/** Keeps the rows of `changed` as versions. */
const addVersionSql = (createdBy: string) =>
  `insert into template_versions
     (workspace_id, template_id, revision, name, subject, preheader, mode, design, body, tags, created_by, created_at)
   select workspace_id, id, revision, name, subject, preheader, mode, design, body, tags, ${createdBy}::uuid, updated_at
   from changed`

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
      { id, key, name, subject, body, tags, isPublic, mode, design, preheader }: TemplateContent & NewTemplate,
      createdBy: string | null,
    ) =>
      first(
        `with changed as (
           insert into templates (workspace_id, id, key, name, subject, body, tags, is_public, mode, design, preheader)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12) on conflict (workspace_id, id) do nothing
           returning *
         ), added as (${addVersionSql('$9')})
         select ${columns} from changed`,
        [workspaceId, id, key, name, subject, body, tags, isPublic, createdBy, mode, toJson(design), preheader],
      ),

    count: ({ workspaceId }: Scope) =>
      countRows(pool, 'select count(*) from templates where workspace_id = $1 and deleted_at is null', [workspaceId]),

    async list(
      { workspaceId }: Scope,
      { words, isWithContent, limit, offset, after }: TemplatePage,
      shown: 'all' | 'public' = 'all',
    ): Promise<Listed<ListedTemplate>> {
      const values = [workspaceId, words && toPatterns(words), shown === 'public', isWithContent]
      const [{ rows }, total] = await Promise.all([
        pool.query<ListedTemplate & { sortAt: string }>(
          `select ${listedColumns}, ${sortAtColumn()} from templates where ${isListed} and ${isAfter('desc', 5)}
           order by created_at desc, id desc limit $7 offset $8`,
          [...values, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from templates where ${isListed}`, values),
      ])
      return { ...toPage<ListedTemplate>(rows, limit), total }
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

    /** Saves the given fields as a new version; null where there is no such template, or not in this `revision`. */
    async update(
      { workspaceId }: Scope,
      id: string,
      changes: Partial<TemplateContent>,
      { createdBy, revision = null }: { createdBy: string | null; revision?: number | null },
    ): Promise<TemplateRow | null> {
      const { design, ...others } = changes
      const { sql, values } = setList({ ...others, ...(design !== undefined && { design: toJson(design) }) }, 6)
      return first(
        `with changed as (
           update templates set ${['updated_at = now(), revision = revision + 1', sql].filter(Boolean).join(', ')}
           where workspace_id = $1 and id = $2 and deleted_at is null and ($4::bigint is null or revision = $4)
           returning *
         ), added as (${addVersionSql('$3')}), dropped as (
           delete from template_versions v using changed c
           where v.workspace_id = $1 and v.template_id = c.id and v.revision <= c.revision - $5::bigint
         )
         select ${columns} from changed`,
        [workspaceId, id, createdBy, revision, templateVersionsMaxCount, ...values],
      )
    },

    /** Newest first. */
    async listVersions({ workspaceId }: Scope, id: string): Promise<TemplateVersionRow[]> {
      const { rows } = await pool.query<TemplateVersionRow>(
        `select v.revision, v.name, v.subject, v.preheader, v.mode, v.created_at as "createdAt",
           nullif(trim(concat_ws(' ', u.first_name, u.last_name)), '') as "createdBy"
         from template_versions v left join users u on u.id = v.created_by
         where v.workspace_id = $1 and v.template_id = $2 order by v.revision desc limit $3`,
        [workspaceId, id, templateVersionsMaxCount],
      )
      return rows
    },

    findVersion: (
      { workspaceId }: Scope,
      id: string,
      revision: number,
    ): Promise<Omit<TemplateContent, 'isPublic'> | null> =>
      findRow(
        pool,
        `select name, subject, body, tags, mode, design, preheader from template_versions
         where workspace_id = $1 and template_id = $2 and revision = $3`,
        [workspaceId, id, revision],
      ),

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
