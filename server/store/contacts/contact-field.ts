import type { Scope } from '../../domain/auth/scope.ts'
import type { FieldRow } from '../../domain/contacts/field-value.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { selectList, setList } from '../core/sql.ts'

const columns = selectList<FieldRow>(['no', 'key', 'label', 'type', 'choices', 'createdAt'])

/** What became of a field to be created; `taken`: another field has its key. */
export type CreatedField = FieldRow | 'taken' | 'limit'

export type ContactFieldStore = ReturnType<typeof createContactFieldStore>

/** Custom fields of contacts. */
export function createContactFieldStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** In the order of their numbers, without deleted ones. */
    async list({ workspaceId }: Scope): Promise<FieldRow[]> {
      const { rows } = await pool.query<FieldRow>(
        `select ${columns} from contact_fields where workspace_id = $1 and deleted_at is null order by no`,
        [workspaceId],
      )
      return rows
    },

    /**
     * The most frequent values among the `sampleCount` newest contacts, most frequent first. `field`: number of a custom
     * field, or `locale`, `timezone` or `source`; none for another one.
     */
    async listValues(
      { workspaceId }: Scope,
      field: string,
      { sampleCount, limit }: { sampleCount: number; limit: number },
    ): Promise<{ value: string; count: number }[]> {
      const { rows } = await pool.query<{ value: string; count: number }>(
        `select value, count(*) as count from (
           select case $2::text when 'locale' then c.locale when 'timezone' then c.timezone when 'source' then c.source
             else c.fields ->> $2::text end as value
           from contacts c where c.workspace_id = $1 order by c.id desc limit $3
         ) as newest
         where value <> '' group by value order by count(*) desc, value limit $4`,
        [workspaceId, field, sampleCount, limit],
      )
      return rows
    },

    /**
     * Adds a field under the number after the highest ever used. Of calls at the same time for one workspace, one waits for
     * the other.
     */
    async create(
      { workspaceId }: Scope,
      { key, label, type, choices, createdAt }: Omit<FieldRow, 'no'>,
      maxCount: number,
    ): Promise<CreatedField> {
      return inTransaction(pool, async ({ client }) => {
        // A lock of its own statement: the next one has to see what the transaction before it committed.
        await client.query('select from workspaces where id = $1 for update', [workspaceId])
        const { rows } = await client.query<Partial<FieldRow> & { outcome: 'made' | 'taken' | 'limit' }>(
          `with known as materialized (
             select coalesce(max(no), 0) as last, count(*) filter (where deleted_at is null) as living,
               coalesce(bool_or(key = $2 and deleted_at is null), false) as is_taken
             from contact_fields where workspace_id = $1
           ), made as (
             insert into contact_fields (workspace_id, no, key, label, type, choices, created_at)
             select $1, last + 1, $2, $3, $4, $5, $6 from known where not is_taken and living < $7
             returning ${columns}
           )
           select made.*, case when made.no is not null then 'made' when is_taken then 'taken' else 'limit' end as outcome
           from known left join made on true`,
          [workspaceId, key, label, type, choices, createdAt, maxCount],
        )
        const { outcome = 'limit', ...made } = rows[0] ?? {}
        return outcome === 'made' ? (made as FieldRow) : outcome
      })
    },

    /** `taken` where another field has the key; null without such a field. */
    async update(
      { workspaceId }: Scope,
      no: number,
      changes: Partial<Pick<FieldRow, 'key' | 'label' | 'choices'>>,
    ): Promise<FieldRow | 'taken' | null> {
      const { sql, values } = setList(changes, 4)
      const { rows } = await pool.query<FieldRow & { isTaken: boolean }>(
        `with other as (
           select from contact_fields where workspace_id = $1 and key = $3 and no <> $2 and deleted_at is null
         ), changed as (
           update contact_fields set ${sql === '' ? 'no = no' : sql}
           where workspace_id = $1 and no = $2 and deleted_at is null and not exists (select from other)
           returning ${columns}
         )
         select changed.*, exists (select from other) as "isTaken" from (select) as one left join changed on true`,
        [workspaceId, no, changes.key ?? null, ...values],
      )
      const [row] = rows
      if (row?.isTaken) return 'taken'
      if (row === undefined || (row.no as number | null) === null) return null
      const { isTaken: _isTaken, ...field } = row
      return field
    },

    /** Hides a field; its values stay under a number that no other field gets. */
    async remove({ workspaceId }: Scope, no: number, at: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update contact_fields set deleted_at = $3 where workspace_id = $1 and no = $2 and deleted_at is null`,
        [workspaceId, no, at],
      )
      return rowCount === 1
    },
  }
}
