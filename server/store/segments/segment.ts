import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { selectList, setList } from '../core/sql.ts'

export interface SegmentRow {
  id: number
  name: string
  rule: SegmentRule
  ruleVersion: number
  isLive: boolean
  evaluatedAt: Date | null
  memberCount: number | null
  costMs: number | null
  createdAt: Date
  updatedAt: Date
}

const columns = selectList<SegmentRow>([
  'id',
  'name',
  'rule',
  'ruleVersion',
  'isLive',
  'evaluatedAt',
  'memberCount',
  'costMs',
  'createdAt',
  'updatedAt',
])

export type SegmentStore = ReturnType<typeof createSegmentStore>

/** Saved segments. */
export function createSegmentStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** By name. */
    async list({ workspaceId }: Scope): Promise<SegmentRow[]> {
      const { rows } = await pool.query<SegmentRow>(
        `select ${columns} from segments where workspace_id = $1 and deleted_at is null order by lower(name), id`,
        [workspaceId],
      )
      return rows
    },

    async listRules({ workspaceId }: Scope): Promise<Pick<SegmentRow, 'id' | 'name' | 'rule'>[]> {
      const { rows } = await pool.query<Pick<SegmentRow, 'id' | 'name' | 'rule'>>(
        'select id, name, rule from segments where workspace_id = $1 and deleted_at is null order by lower(name), id',
        [workspaceId],
      )
      return rows
    },

    async find({ workspaceId }: Scope, id: string): Promise<SegmentRow | null> {
      const { rows } = await pool.query<SegmentRow>(
        `select ${columns} from segments where workspace_id = $1 and id = $2 and deleted_at is null`,
        [workspaceId, id],
      )
      return rows[0] ?? null
    },

    /** `taken`: another segment has the name, letter case apart; `limit`: there are `maxCount` segments. */
    async create(
      { workspaceId }: Scope,
      { name, rule, createdAt }: Pick<SegmentRow, 'name' | 'rule' | 'createdAt'>,
      maxCount: number,
    ): Promise<SegmentRow | 'taken' | 'limit'> {
      return inTransaction(pool, async ({ client }) => {
        await client.query('select from workspaces where id = $1 for update', [workspaceId])
        const { rows: counted } = await client.query<{ count: number }>(
          'select count(*) as count from segments where workspace_id = $1 and deleted_at is null',
          [workspaceId],
        )
        if ((counted[0]?.count ?? 0) >= maxCount) return 'limit'
        const { rows } = await client.query<SegmentRow>(
          `insert into segments (workspace_id, name, rule, created_at, updated_at) values ($1, $2, $3, $4, $4)
           on conflict (workspace_id, lower(name)) where deleted_at is null do nothing returning ${columns}`,
          [workspaceId, name, JSON.stringify(rule), createdAt],
        )
        return rows[0] ?? 'taken'
      })
    },

    /** `taken`: another segment has the name. */
    async update(
      { workspaceId }: Scope,
      id: string,
      { rule, ...changes }: Partial<Pick<SegmentRow, 'name' | 'rule' | 'isLive'>> & { updatedAt: Date },
    ): Promise<SegmentRow | 'taken' | null> {
      const { sql, values } = setList(changes, 5)
      const { rows } = await pool.query<SegmentRow & { isTaken: boolean }>(
        `with other as (
           select from segments where workspace_id = $1 and lower(name) = lower($3) and id <> $2 and deleted_at is null
         ), changed as (
           update segments set ${sql}, rule = coalesce($4, rule),
             rule_version = rule_version + case when $4 is distinct from rule and $4 is not null then 1 else 0 end
           where workspace_id = $1 and id = $2 and deleted_at is null and not exists (select from other)
           returning ${columns}
         )
         select changed.*, exists (select from other) as "isTaken" from (select) as one left join changed on true`,
        [workspaceId, id, changes.name ?? null, rule === undefined ? null : JSON.stringify(rule), ...values],
      )
      const [row] = rows
      if (row?.isTaken) return 'taken'
      if (row === undefined || (row.id as number | null) === null) return null
      const { isTaken: _isTaken, ...segment } = row
      return segment
    },

    async remove({ workspaceId }: Scope, id: string, at: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update segments set deleted_at = $3 where workspace_id = $1 and id = $2 and deleted_at is null',
        [workspaceId, id, at],
      )
      return rowCount === 1
    },

    /** What an evaluation found; the age of a count is shown with it. */
    async noteEvaluation(
      { workspaceId }: Scope,
      id: string,
      { ruleVersion, memberCount, costMs, at }: { ruleVersion: number; memberCount: number; costMs: number; at: Date },
    ): Promise<void> {
      await pool.query(
        `update segments set member_count = $4, cost_ms = $5, evaluated_at = $6
         where workspace_id = $1 and id = $2 and rule_version = $3`,
        [workspaceId, id, ruleVersion, memberCount, costMs, at],
      )
    },
  }
}
