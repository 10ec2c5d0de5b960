import type pg from 'pg'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ImportRow } from '../../domain/imports/mapping.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import { erasedHashSql } from '../suppressions/erased-address.sql.ts'
import { checkRows, type RowCounts } from './import-check.ts'
import { copyLines, copyRows, copyText, copyValues, rowColumns } from './import-copy.ts'
import { joinLists } from './import-lists.ts'
import { undoRows } from './import-undo.ts'
import type { ImportRecord } from './import.ts'

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

/**
 * PostgreSQL's codes of a deadlock, of a serialisation failure, and of an address that another transaction added meanwhile:
 * the batch is written again, and finds what the other transaction wrote.
 */
const retriedCodes = new Set(['40P01', '40001', '23505'])
const attemptsMaxCount = 5

/**
 * The place in the file is part of the transaction: what a crash loses of a commit that is not on disk yet is imported again,
 * so that no batch waits for the disk.
 */
const begin = 'begin; set local synchronous_commit = off'

export type ImportRowStore = ReturnType<typeof createImportRowStore>

/** Writes the rows of imports, counts what writing them would do, and takes them back. */
export function createImportRowStore(database: Pick<Database, 'pool'>) {
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
          return await inTransaction(
            database.pool,
            ({ client }) => writeBatch(client, scope, record, batch, { owner, now }),
            begin,
          )
        } catch (error) {
          if (!retriedCodes.has((error as { code?: string }).code ?? '') || attempt >= attemptsMaxCount) throw error
        }
      }
    },

    check: (scope: Scope, mode: ImportRecord['mode'], batches: AsyncIterable<readonly ImportRow[]>) =>
      checkRows(database, scope, mode, batches),

    undo: (scope: Scope, id: number, page: { after: number; limit: number; now: Date }) =>
      undoRows(database, scope, id, page),
  }
}

async function writeBatch(
  client: pg.PoolClient,
  { workspaceId }: Scope,
  record: ImportRecord,
  { rows, repeatedCount, refusals, emptyCount, line, byteOffset }: RowBatch,
  { owner, now }: { owner: string; now: Date },
): Promise<boolean> {
  const { id } = record
  const held = await client.query(
    `select from imports where workspace_id = $1 and id = $2 and state = 'running' and lease_owner = $3 for update`,
    [workspaceId, id, owner],
  )
  if (held.rowCount === 0) return false
  const found = await findKnown(client, workspaceId, rows)
  const isKnown = ({ key }: ImportRow) => found.get(key)?.isKnown === true
  // In the order of their keys: two imports with the same people wait for each other instead of blocking each other.
  const sorted = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const known = sorted.filter(isKnown)
  const fresh = sorted.filter((row) => !isKnown(row) && found.get(row.key)?.isErased !== true)
  const added = await addContacts(client, workspaceId, id, fresh, { found, now })
  const changed = known.length === 0 ? noCounts : await changeContacts(client, workspaceId, record, known, now)
  await joinLists(client, workspaceId, record, known.length === 0 ? fresh : [...fresh, ...known], now)
  await addRefusals(client, workspaceId, id, refusals)
  const { rows: noted } = await client.query<{ hasLiveSegment: boolean }>(
    `update imports set byte_offset = $3, line = $4, added = added + $5, updated = updated + $6,
       unchanged = unchanged + $7, suppressed = suppressed + $8, repeated = repeated + $9, refused = refused + $10,
       empty = empty + $11
     where workspace_id = $1 and id = $2
     returning exists (select from segments s where s.workspace_id = $1 and s.is_live and s.deleted_at is null)
       as "hasLiveSegment"`,
    [
      workspaceId,
      id,
      byteOffset,
      line,
      added,
      changed.updated,
      changed.unchanged + changed.repeated + repeatedCount,
      rows.length - known.length - added + changed.suppressed,
      changed.repeated + repeatedCount,
      refusals.length,
      emptyCount,
    ],
  )
  if (noted[0]?.hasLiveSegment === true) await client.query(touchAddedSql, [workspaceId, fresh.map(({ key }) => key)])
  return true
}

const noCounts = { updated: 0, unchanged: 0, suppressed: 0, repeated: 0 }

/** What is known of an address: a contact, a suppression, an erasure. */
interface Known {
  key: string
  isKnown: boolean
  isErased: boolean
  /** Reason of a suppression. */
  reason: string | null
}

/**
 * The addresses of rows of which something is known. Each is looked up in the indexes, whatever the planner expects. Addresses
 * are hashed only in a workspace that erased some.
 */
const knownSql = `
  select g.key, c.id is not null as "isKnown", e.is_erased is not null as "isErased", s.reason
  from unnest($2::text[]) as g (key)
    left join lateral (
      select c.id from contacts c where c.workspace_id = $1 and c.email_key = g.key offset 0
    ) as c on true
    left join lateral (
      select s.reason from suppressions s where s.workspace_id = $1 and s.email = g.key offset 0
    ) as s on true
    left join lateral (
      select true as is_erased from workspaces w join erased_addresses e
        on e.workspace_id = $1 and e.address_hash = ${erasedHashSql('g.key')}
      where (select exists (select from erased_addresses where workspace_id = $1)) and w.id = $1 offset 0
    ) as e on true
  where c.id is not null or s.reason is not null or e.is_erased is not null`

async function findKnown(
  client: pg.PoolClient,
  workspaceId: string,
  rows: readonly ImportRow[],
): Promise<Map<string, Known>> {
  const { rows: found } = await client.query<Known>(knownSql, [workspaceId, rows.map(({ key }) => key)])
  return new Map(found.map((one) => [one.key, one]))
}

/** Adds contacts with new addresses; gives the number of those that can get mail. */
async function addContacts(
  client: pg.PoolClient,
  workspaceId: string,
  importId: number,
  rows: readonly ImportRow[],
  { found, now }: { found: ReadonlyMap<string, Known>; now: Date },
): Promise<number> {
  const at = now.toISOString()
  const end = `import\t${importId}\t${at}\t${at}\n`
  let suppressedCount = 0
  const lines = rows.map((row) => {
    const reason = found.get(row.key)?.reason ?? 'active'
    if (reason !== 'active') suppressedCount += 1
    return `${workspaceId}\t${copyText(row.email)}\t${copyText(row.key)}\t${reason}\t${copyValues(row)}\t${end}`
  })
  const columns =
    'workspace_id, email, email_key, status, fields, locale, timezone, source, import_id, created_at, updated_at'
  await copyLines(client, `contacts (${columns})`, lines)
  return rows.length - suppressedCount
}

const touchAddedSql = touchSql(`(
  select c.id from unnest($2::text[]) as g (key) cross join lateral (
    select c.id from contacts c where c.workspace_id = $1 and c.email_key = g.key offset 0
  ) as c
)`)

/** Changes contacts that exist, in mode `add` only those of this import. */
async function changeContacts(
  client: pg.PoolClient,
  workspaceId: string,
  { id, mode }: ImportRecord,
  rows: readonly ImportRow[],
  now: Date,
): Promise<Omit<RowCounts, 'added'>> {
  await client.query(`create temp table if not exists import_rows (${rowColumns}) on commit delete rows`)
  await copyRows(client, 'import_rows', rows)
  const { rows: counted } = await client.query<Omit<RowCounts, 'added'>>(changeSql, [workspaceId, id, mode, now])
  const counts = counted[0] ?? noCounts
  const { updated, unchanged, repeated, suppressed } = counts
  if (updated + unchanged + repeated + suppressed !== rows.length) throw new ContactGoneError()
  return counts
}

/** Another transaction removed a contact, or changed its address, since the batch looked it up. */
class ContactGoneError extends Error {
  readonly code = '40001'
}

const changeSql = `
  with known as materialized (
    select c.id, c.fields, c.status, c.timezone, c.locale, c.import_id, g.fields as given, g.timezone as given_timezone,
      g.locale as given_locale,
      c.import_id is not distinct from $2::bigint or exists (
        select from import_overwrites o where o.workspace_id = $1 and o.import_id = $2 and o.contact_id = c.id
      ) as is_repeated
    from import_rows g cross join lateral (
      select * from contacts c where c.workspace_id = $1 and c.email_key = g.key for update
    ) as c
  ), changing as materialized (
    select k.id, k.status, k.is_repeated, k.fields || k.given as after, k.given,
      coalesce(k.given_timezone, k.timezone) as timezone, coalesce(k.given_locale, k.locale) as locale,
      (select coalesce(jsonb_object_agg(f.key, k.fields -> f.key), '{}') from jsonb_object_keys(k.given) as f (key)) as was
    from known k
    where ($3 = 'add_and_update' or k.import_id is not distinct from $2::bigint)
      and (k.fields || k.given is distinct from k.fields or coalesce(k.given_timezone, k.timezone) is distinct from k.timezone
        or coalesce(k.given_locale, k.locale) is distinct from k.locale)
      and octet_length((k.fields || k.given)::text) <= 65536
  ), changed as (
    update contacts c set fields = changing.after, timezone = changing.timezone, locale = changing.locale, updated_at = $4
    from changing where c.workspace_id = $1 and c.id = changing.id
    returning c.id
  ), overwritten as (
    insert into import_overwrites (workspace_id, import_id, contact_id, before)
    select $1, $2, id, jsonb_build_object('was', was, 'given', given) from changing where not is_repeated
    on conflict (workspace_id, import_id, contact_id) do nothing
  ), touched as (${touchSql('changed')})
  select
    (select count(*) from changing where status = 'active' and not is_repeated)::int as updated,
    (select count(*) from known k where status = 'active' and not is_repeated
      and id not in (select id from changing))::int as unchanged,
    (select count(*) from known where status = 'active' and is_repeated)::int as repeated,
    (select count(*) from known where status <> 'active')::int as suppressed
  from (select count(*) from changed) as one`

async function addRefusals(
  client: pg.PoolClient,
  workspaceId: string,
  id: number,
  refusals: RowBatch['refusals'],
): Promise<void> {
  if (refusals.length === 0) return
  await client.query(
    `insert into import_refusals (workspace_id, import_id, line, reason, cells)
     select $1, $2, given.line, given.reason, array(select json_array_elements_text(given.cells::json))
     from unnest($3::bigint[], $4::text[], $5::text[]) as given (line, reason, cells)
     on conflict do nothing`,
    [
      workspaceId,
      id,
      refusals.map(({ line }) => line),
      refusals.map(({ reason }) => reason),
      refusals.map(({ cells }) => JSON.stringify(cells).replaceAll(String.raw`\u0000`, '')),
    ],
  )
}
