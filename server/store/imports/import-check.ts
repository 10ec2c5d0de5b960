import type { ImportMode } from '../../../contract/audience/imports/csv.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ImportRow } from '../../domain/imports/mapping.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { erasedHashSql } from '../suppressions/erased-address.sql.ts'
import { copyRows, rowColumns } from './import-copy.ts'

/** What became of rows; the sum of the first four is the number of the rows. */
export interface RowCounts {
  added: number
  updated: number
  unchanged: number
  suppressed: number
  /** Of the unchanged ones, those whose address a later row has. */
  repeated: number
}

/** Counts what all rows of a file would do; writes nothing that outlives the call. */
export async function checkRows(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId }: Scope,
  mode: ImportMode,
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
}

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
