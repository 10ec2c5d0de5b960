import type { MemberState } from '../../../contract/audience/segment-rule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ListRow } from '../../domain/lists/list.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { listEventSql } from '../events/list-event.sql.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import { setList } from '../core/sql.ts'

const growthDays = 30

const listSql = `
  select l.id, l.name, l.description, l.is_public as "isPublic", l.created_at as "createdAt",
    coalesce(m.subscribed, 0)::int as "subscribedCount", coalesce(m.pending, 0)::int as "pendingCount",
    coalesce(m.unsubscribed, 0)::int as "unsubscribedCount", coalesce(m.grown, 0)::int as "grownCount"
  from lists l left join (
    select list_id, count(*) filter (where state = 'subscribed') as subscribed,
      count(*) filter (where state = 'pending') as pending,
      count(*) filter (where state = 'unsubscribed') as unsubscribed,
      count(*) filter (where state = 'subscribed' and at > $2) - count(*) filter (where state = 'unsubscribed' and at > $2)
        as grown
    from list_members where workspace_id = $1 group by list_id
  ) as m on m.list_id = l.id
  where l.workspace_id = $1 and l.deleted_at is null`

export type ListStore = ReturnType<typeof createListStore>

/** Lists of contacts and their members. */
export function createListStore({ pool }: Pick<Database, 'pool'>) {
  const since = (now: Date) => new Date(now.getTime() - growthDays * 86_400_000)
  return {
    /** By name. */
    async list({ workspaceId }: Scope, now: Date): Promise<ListRow[]> {
      const { rows } = await pool.query<ListRow>(`${listSql} order by lower(l.name), l.id`, [workspaceId, since(now)])
      return rows
    },

    async find({ workspaceId }: Scope, id: string, now: Date): Promise<ListRow | null> {
      const { rows } = await pool.query<ListRow>(`${listSql} and l.id = $3`, [workspaceId, since(now), id])
      return rows[0] ?? null
    },

    /** Of these ids, those of lists that exist. */
    async listExisting({ workspaceId }: Scope, ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await pool.query<{ id: string }>(
        `select id::text from lists where workspace_id = $1 and id = any($2::bigint[]) and deleted_at is null`,
        [workspaceId, ids],
      )
      return new Set(rows.map(({ id }) => id))
    },

    /** `taken`: another list has the name, letter case apart; `limit`: there are `maxCount` lists. */
    async create(
      { workspaceId }: Scope,
      { name, description, isPublic, createdAt }: Pick<ListRow, 'name' | 'description' | 'isPublic' | 'createdAt'>,
      maxCount: number,
    ): Promise<number | 'taken' | 'limit'> {
      return inTransaction(pool, async ({ client }) => {
        await client.query('select from workspaces where id = $1 for update', [workspaceId])
        const { rows: counted } = await client.query<{ count: number }>(
          'select count(*) as count from lists where workspace_id = $1 and deleted_at is null',
          [workspaceId],
        )
        if ((counted[0]?.count ?? 0) >= maxCount) return 'limit'
        const { rows } = await client.query<{ id: number }>(
          `insert into lists (workspace_id, name, description, is_public, created_at) values ($1, $2, $3, $4, $5)
           on conflict (workspace_id, lower(name)) where deleted_at is null do nothing returning id`,
          [workspaceId, name, description, isPublic, createdAt],
        )
        return rows[0]?.id ?? 'taken'
      })
    },

    /** `taken`: another list has the name. */
    async update(
      { workspaceId }: Scope,
      id: string,
      changes: Partial<Pick<ListRow, 'name' | 'description' | 'isPublic'>>,
    ): Promise<'changed' | 'taken' | null> {
      const { sql, values } = setList(changes, 4)
      const { rows } = await pool.query<{ isTaken: boolean; isChanged: boolean }>(
        `with other as (
           select from lists where workspace_id = $1 and lower(name) = lower($3) and id <> $2 and deleted_at is null
         ), changed as (
           update lists set ${sql === '' ? 'name = name' : sql}
           where workspace_id = $1 and id = $2 and deleted_at is null and not exists (select from other) returning id
         )
         select exists (select from other) as "isTaken", exists (select from changed) as "isChanged"`,
        [workspaceId, id, changes.name ?? null, ...values],
      )
      return rows[0]?.isTaken ? 'taken' : rows[0]?.isChanged ? 'changed' : null
    },

    async remove({ workspaceId }: Scope, id: string, at: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update lists set deleted_at = $3 where workspace_id = $1 and id = $2 and deleted_at is null',
        [workspaceId, id, at],
      )
      return rowCount === 1
    },

    /** Makes contacts members; those that are members already, in any state, stay as they are. Returns how many were new. */
    async addMembers(
      { workspaceId }: Scope,
      id: string,
      contactIds: readonly number[],
      at: Date,
      state: MemberState = 'subscribed',
    ): Promise<number> {
      const { rowCount } = await pool.query(
        `with joined as (
           insert into list_members (workspace_id, list_id, contact_id, state, at)
           select $1, $2, c.id, $4, $5 from contacts c where c.workspace_id = $1 and c.id = any($3::bigint[])
           order by c.id on conflict do nothing returning contact_id as id
         ), touched as (${touchSql('joined')}),
         noted as (${listEventSql('list_joined', `(select id from joined where $4 = 'subscribed')`, '$2', '$5::timestamptz')})
         select from joined`,
        [workspaceId, id, contactIds, state, at],
      )
      return rowCount ?? 0
    },
  }
}
