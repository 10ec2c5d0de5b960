import type pg from 'pg'
import type { ImportRow } from '../../domain/imports/mapping.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import type { ImportRecord } from './import.ts'

/** Makes the contacts of rows members of the import's list and of those that the rows name, which are created. */
export async function joinLists(
  client: pg.PoolClient,
  workspaceId: string,
  { listId, consentId }: ImportRecord,
  rows: readonly ImportRow[],
  now: Date,
): Promise<void> {
  const named = rows.filter(({ lists }) => lists.length > 0)
  if (listId === null && named.length === 0) return
  const idByName = await findOrCreate(client, workspaceId, [...new Set(named.flatMap(({ lists }) => lists))], now)
  const members = [
    ...(listId === null ? [] : rows.map(({ key }) => ({ key, list: listId }))),
    ...named.flatMap(({ key, lists }) => lists.map((name) => ({ key, list: idByName.get(name) ?? null }))),
  ]
  await client.query(
    `with joined as (
       insert into list_members (workspace_id, list_id, contact_id, state, at, consent_id)
       select distinct $1::uuid, l.id, c.id, 'subscribed', $4::timestamptz, $5::bigint
       from unnest($2::text[], $3::bigint[]) as g (key, list)
         join lists l on l.workspace_id = $1 and l.id = g.list and l.deleted_at is null
         cross join lateral (
           select c.id from contacts c where c.workspace_id = $1 and c.email_key = g.key offset 0
         ) as c
       on conflict do nothing
       returning contact_id as id
     )
     ${touchSql('joined')}`,
    [workspaceId, members.map(({ key }) => key), members.map(({ list }) => list), now, consentId],
  )
}

/** The lists with these names, in any case; those that do not exist are created. */
async function findOrCreate(
  client: pg.PoolClient,
  workspaceId: string,
  names: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  await client.query(
    `insert into lists (workspace_id, name, created_at) select $1, given.name, $3 from unnest($2::text[]) as given (name)
     on conflict (workspace_id, lower(name)) where deleted_at is null do nothing`,
    [workspaceId, names, now],
  )
  const { rows } = await client.query<{ name: string; id: number }>(
    `select given.name, l.id from unnest($2::text[]) as given (name)
       join lists l on l.workspace_id = $1 and lower(l.name) = lower(given.name) and l.deleted_at is null`,
    [workspaceId, names],
  )
  return new Map(rows.map(({ name, id }) => [name, id]))
}
