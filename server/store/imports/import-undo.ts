import type { Scope } from '../../domain/auth/scope.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import type { Database } from '../core/database.ts'

/**
 * Takes back the next contacts of an import: deletes those that it created and that have no later activity, restores values
 * that have not changed since. Null where none is left.
 */
export async function undoRows(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId }: Scope,
  id: number,
  { after, limit, now }: { after: number; limit: number; now: Date },
): Promise<{ last: number; keptCount: number } | null> {
  const { rows } = await pool.query<{ last: number | null; keptCount: number }>(undoSql, [
    workspaceId,
    id,
    after,
    limit,
    now,
  ])
  const [row] = rows
  return !row || row.last === null ? null : { last: row.last, keptCount: row.keptCount }
}

const undoSql = `
  with page as materialized (
    select contact_id, before from (
      (select c.id as contact_id, null::jsonb as before from contacts c
       where c.workspace_id = $1 and c.import_id = $2 and c.id > $3 order by c.id limit $4)
      union all
      (select o.contact_id, o.before from import_overwrites o
       where o.workspace_id = $1 and o.import_id = $2 and o.contact_id > $3 order by o.contact_id limit $4)
    ) as written order by contact_id limit $4
  ), deleted as (
    delete from contacts c using page, imports i
    where c.workspace_id = $1 and c.id = page.contact_id and page.before is null
      and i.workspace_id = $1 and i.id = $2 and c.updated_at <= i.finished_at and c.last_sent_at is null
      and not exists (
        select from list_members m where m.workspace_id = $1 and m.contact_id = c.id and m.at > i.finished_at
      )
    returning c.id
  ), restored as (
    update contacts c set updated_at = $5,
      fields = jsonb_strip_nulls(c.fields || (
        select coalesce(jsonb_object_agg(f.key, page.before -> 'was' -> f.key), '{}')
        from jsonb_object_keys(page.before -> 'given') as f (key)
        where c.fields -> f.key = page.before -> 'given' -> f.key
      ))
    from page
    where c.workspace_id = $1 and c.id = page.contact_id and page.before is not null
      and exists (
        select from jsonb_object_keys(page.before -> 'given') as f (key)
        where c.fields -> f.key = page.before -> 'given' -> f.key
      )
    returning c.id
  ), touched as (${touchSql('(select id from deleted union all select id from restored)')}),
  done as (
    delete from import_overwrites o
    where o.workspace_id = $1 and o.import_id = $2 and o.contact_id in (select id from restored)
  )
  select max(contact_id) as last,
    (count(*) - (select count(*) from deleted) - (select count(*) from restored))::int as "keptCount"
  from page`
