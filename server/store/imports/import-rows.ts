import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ImportRow } from '../../domain/imports/mapping.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import { erasedHashSql } from '../suppressions/erased-address.sql.ts'
import type { ImportRecord } from './import.ts'

/** What became of rows; the sum of the first four is the number of the rows. */
export interface RowCounts {
  added: number
  updated: number
  unchanged: number
  suppressed: number
  /** Of the unchanged ones, those whose address a later row has. */
  repeated: number
}

/** A batch of rows with different addresses, and the place in the file behind it. */
export interface RowBatch {
  rows: readonly ImportRow[]
  /** Rows of the batch that a later one of it replaced. */
  repeatedCount: number
  refusals: readonly { line: number; reason: string; cells: readonly string[] }[]
  emptyCount: number
  line: number
  byteOffset: number
}

const rowColumns = 'line bigint, email text, key text, fields jsonb, locale text, timezone text, lists text[]'
const columnNames = 'line, email, key, fields, locale, timezone, lists'

/** PostgreSQL's codes of a deadlock and of a serialisation failure: the batch is written again. */
const retriedCodes = new Set(['40P01', '40001'])
const attemptsMaxCount = 5

export type ImportRowStore = ReturnType<typeof createImportRowStore>

/** Writes the rows of imports, and counts what writing them would do. */
export function createImportRowStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /**
     * Writes a batch with its counts and the place behind it, all or nothing. False where the import is not running any more,
     * or another process holds it.
     */
    async write(
      scope: Scope,
      record: ImportRecord,
      batch: RowBatch,
      { owner, now }: { owner: string; now: Date },
    ): Promise<boolean> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const outcome = await inTransaction(pool, ({ client }) =>
            writeOnce(client, scope, record, batch, { owner, now }),
          )
          if (outcome !== 'again') return outcome === 'written'
        } catch (error) {
          if (!retriedCodes.has((error as { code?: string }).code ?? '') || attempt >= attemptsMaxCount) throw error
        }
        if (attempt >= attemptsMaxCount) throw new Error('An import batch met concurrent writes again and again')
      }
    },

    /** Counts what all rows of a file would do; writes nothing that outlives the call. */
    async check(
      { workspaceId }: Scope,
      mode: ImportRecord['mode'],
      batches: AsyncIterable<readonly ImportRow[]>,
    ): Promise<RowCounts> {
      return inTransaction(pool, async ({ client }) => {
        await client.query(`create temp table import_check (${rowColumns}) on commit drop`)
        for await (const rows of batches) await copyRows(client, 'import_check', rows)
        await client.query('analyze import_check')
        const { rows } = await client.query<RowCounts>(checkSql, [workspaceId, mode])
        const counts = rows[0] ?? { added: 0, updated: 0, unchanged: 0, suppressed: 0, repeated: 0 }
        return { ...counts, unchanged: counts.unchanged + counts.repeated }
      })
    },

    /**
     * Takes back the next contacts of an import: deletes those that it created and that have no later activity, restores values
     * that have not changed since. Null where none is left.
     */
    async undo(
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
      return row === undefined || row.last === null ? null : { last: row.last, keptCount: row.keptCount }
    },
  }
}

async function writeOnce(
  client: pg.PoolClient,
  { workspaceId }: Scope,
  { id, mode, listId, consentId }: ImportRecord,
  { rows, repeatedCount, refusals, emptyCount, line, byteOffset }: RowBatch,
  { owner, now }: { owner: string; now: Date },
): Promise<'written' | 'again' | 'stopped'> {
  const held = await client.query(
    `select from imports where workspace_id = $1 and id = $2 and state = 'running' and lease_owner = $3 for update`,
    [workspaceId, id, owner],
  )
  if (held.rowCount === 0) return 'stopped'
  await client.query(`create temp table if not exists import_rows (${rowColumns}) on commit delete rows`)
  await copyRows(client, 'import_rows', rows)
  const lists = [...new Set(rows.flatMap((row) => row.lists))]
  if (lists.length > 0) {
    await client.query(
      `insert into lists (workspace_id, name, created_at) select $1, given.name, $3 from unnest($2::text[]) as given (name)
       on conflict (workspace_id, lower(name)) where deleted_at is null do nothing`,
      [workspaceId, lists, now],
    )
  }
  const { rows: counted } = await client.query<RowCounts & { written: number }>(writeSql, [
    workspaceId,
    id,
    mode,
    listId,
    consentId,
    now,
  ])
  const counts = counted[0]
  if (counts === undefined) return 'again'
  // An address that another transaction added meanwhile is neither found nor inserted: the next attempt finds it.
  if (counts.written !== rows.length) {
    await client.query('rollback; begin')
    return 'again'
  }
  if (refusals.length > 0) {
    await client.query(
      `insert into import_refusals (workspace_id, import_id, line, reason, cells)
       select $1, $2, given.line, given.reason, array(select json_array_elements_text(given.cells::json))
       from unnest($3::bigint[], $4::text[], $5::text[]) as given (line, reason, cells)
       on conflict do nothing`,
      [
        workspaceId,
        id,
        refusals.map((refusal) => refusal.line),
        refusals.map(({ reason }) => reason),
        refusals.map(({ cells }) => JSON.stringify(cells).replaceAll(String.raw`\u0000`, '')),
      ],
    )
  }
  await client.query(
    `update imports set byte_offset = $3, line = $4, added = added + $5, updated = updated + $6,
       unchanged = unchanged + $7, suppressed = suppressed + $8, repeated = repeated + $9, refused = refused + $10,
       empty = empty + $11
     where workspace_id = $1 and id = $2`,
    [
      workspaceId,
      id,
      byteOffset,
      line,
      counts.added,
      counts.updated,
      counts.unchanged + counts.repeated + repeatedCount,
      counts.suppressed,
      counts.repeated + repeatedCount,
      refusals.length,
      emptyCount,
    ],
  )
  return 'written'
}

/** Rows in the text format of COPY. */
async function copyRows(client: pg.PoolClient, table: string, rows: readonly ImportRow[]): Promise<void> {
  if (rows.length === 0) return
  const stream = client.query(copyFrom(`copy ${table} (${columnNames}) from stdin`))
  const text = rows
    .map(({ line, email, key, fields, locale, timezone, lists }) =>
      [
        String(line),
        copyText(email),
        copyText(key),
        copyText(JSON.stringify(fields)),
        locale === null ? String.raw`\N` : copyText(locale),
        timezone === null ? String.raw`\N` : copyText(timezone),
        copyText(`{${lists.map((list) => `"${list.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`),
      ].join('\t'),
    )
    .join('\n')
  const finished = once(stream, 'finish')
  stream.end(`${text}\n`)
  await finished
}

const escapes: Record<string, string> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}
const copyText = (text: string): string => text.replaceAll(/[\\\n\r\t]/g, (char) => escapes[char] ?? char)

const writeSql = `
  with known as materialized (
    select c.id, c.email_key, c.fields, c.status, c.timezone, c.locale, c.import_id,
      c.import_id is not distinct from $2::bigint or exists (
        select from import_overwrites o where o.workspace_id = $1 and o.import_id = $2 and o.contact_id = c.id
      ) as is_repeated
    from contacts c join import_rows g on g.key = c.email_key
    where c.workspace_id = $1 order by c.email_key for update of c
  ), erased as materialized (
    select g.key from import_rows g join workspaces w on w.id = $1
      join erased_addresses e on e.workspace_id = $1 and e.address_hash = ${erasedHashSql('g.key')}
  ), inserted as (
    insert into contacts (workspace_id, email, email_key, status, fields, timezone, locale, source, import_id, created_at,
      updated_at)
    select $1, g.email, g.key, coalesce(s.reason, 'active'), g.fields, g.timezone, g.locale, 'import', $2, $6, $6
    from import_rows g left join suppressions s on s.workspace_id = $1 and s.email = g.key
    where g.key not in (select email_key from known) and g.key not in (select key from erased)
    order by g.key
    on conflict (workspace_id, email_key) do nothing
    returning id, email_key, status
  ), changing as materialized (
    select k.id, k.status, k.is_repeated, k.fields as before, k.fields || g.fields as after,
      coalesce(g.timezone, k.timezone) as timezone, coalesce(g.locale, k.locale) as locale,
      (select coalesce(jsonb_object_agg(f.key, k.fields -> f.key), '{}') from jsonb_object_keys(g.fields) as f (key)) as was,
      g.fields as given
    from known k join import_rows g on g.key = k.email_key
    where ($3 = 'add_and_update' or k.import_id is not distinct from $2::bigint)
      and (k.fields || g.fields is distinct from k.fields or coalesce(g.timezone, k.timezone) is distinct from k.timezone
        or coalesce(g.locale, k.locale) is distinct from k.locale)
      and octet_length((k.fields || g.fields)::text) <= 65536
  ), changed as (
    update contacts c set fields = changing.after, timezone = changing.timezone, locale = changing.locale, updated_at = $6
    from changing where c.workspace_id = $1 and c.id = changing.id
    returning c.id
  ), overwritten as (
    insert into import_overwrites (workspace_id, import_id, contact_id, before)
    select $1, $2, id, null from inserted
    union all
    select $1, $2, id, jsonb_build_object('was', was, 'given', given) from changing where not is_repeated
    on conflict (workspace_id, import_id, contact_id) do nothing
  ), member as (
    select id, email_key from inserted union all select id, email_key from known
  ), joined as (
    insert into list_members (workspace_id, list_id, contact_id, state, at, consent_id)
    select distinct $1::uuid, l.id, member.id, 'subscribed', $6::timestamptz, $5::bigint
    from member join import_rows g on g.key = member.email_key
      join lists l on l.workspace_id = $1 and l.deleted_at is null
        and (l.id = $4 or lower(l.name) in (select lower(name) from unnest(g.lists) as name))
    on conflict do nothing
    returning contact_id as id
  ), touched as (${touchSql('(select id from inserted union select id from changed union select id from joined)')})
  select
    (select count(*) from inserted where status = 'active')::int as added,
    (select count(*) from changing where status = 'active' and not is_repeated)::int as updated,
    (select count(*) from known k where status = 'active' and not is_repeated
      and id not in (select id from changing))::int as unchanged,
    (select count(*) from known where status = 'active' and is_repeated)::int as repeated,
    ((select count(*) from inserted where status <> 'active') + (select count(*) from known where status <> 'active')
      + (select count(*) from erased e where e.key not in (select email_key from known)))::int as suppressed,
    ((select count(*) from inserted) + (select count(*) from known)
      + (select count(*) from erased e where e.key not in (select email_key from known)))::int as written
  from (select count(*) from changed) as one`

const checkSql = `
  with latest as materialized (
    select distinct on (key) * from import_check order by key, line desc
  ), row as materialized (
    select g.key, c.id, coalesce(c.status, s.reason, 'active') as status,
      c.id is not null and $2 = 'add_and_update' and (c.fields || g.fields is distinct from c.fields
        or coalesce(g.timezone, c.timezone) is distinct from c.timezone
        or coalesce(g.locale, c.locale) is distinct from c.locale) as is_changed,
      exists (
        select from workspaces w join erased_addresses e on e.workspace_id = $1 and e.address_hash = ${erasedHashSql('g.key')}
        where w.id = $1
      ) as is_erased
    from latest g left join contacts c on c.workspace_id = $1 and c.email_key = g.key
      left join suppressions s on s.workspace_id = $1 and s.email = g.key
  )
  select (count(*) filter (where id is null and status = 'active' and not is_erased))::int as added,
    (count(*) filter (where is_changed and status = 'active'))::int as updated,
    (count(*) filter (where id is not null and not is_changed and status = 'active'))::int as unchanged,
    (count(*) filter (where status <> 'active' or id is null and is_erased))::int as suppressed,
    ((select count(*) from import_check) - count(*))::int as repeated
  from row`

const undoSql = `
  with page as materialized (
    select o.contact_id, o.before from import_overwrites o
    where o.workspace_id = $1 and o.import_id = $2 and o.contact_id > $3 order by o.contact_id limit $4
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
    where o.workspace_id = $1 and o.import_id = $2
      and o.contact_id in (select id from deleted union all select id from restored)
  )
  select max(contact_id) as last,
    (count(*) - (select count(*) from deleted) - (select count(*) from restored))::int as "keptCount"
  from page`
