import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { inTransaction, type Database, type Queryable } from '../core/database.ts'
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

/** Numbers of segments, and of live ones but `exceptId`, while no other transaction adds or changes one. */
async function lockCounts(
  client: Queryable,
  workspaceId: string,
  exceptId: string | null = null,
): Promise<{ all: number; live: number }> {
  await client.query('select from workspaces where id = $1 for no key update', [workspaceId])
  const { rows } = await client.query<{ all: number; live: number }>(
    `select count(*) as all, count(*) filter (where is_live and id is distinct from $2::bigint) as live
     from segments where workspace_id = $1 and deleted_at is null`,
    [workspaceId, exceptId],
  )
  return rows[0] ?? { all: 0, live: 0 }
}

const campaignsMaxCount = 100

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

    /** Campaigns whose audience names one of these segments, newest first; 100 at most. */
    async listCampaigns(
      { workspaceId }: Scope,
      ids: readonly number[],
    ): Promise<{ segmentId: number; id: string; name: string }[]> {
      const { rows } = await pool.query<{ segmentId: number; id: string; name: string }>(
        `select u.ref_id as "segmentId", a.id, case when a.name = '' then a.subject else a.name end as name
         from campaign_audiences u join campaigns a on a.workspace_id = $1 and a.id = u.campaign_id
         where u.workspace_id = $1 and u.kind = 'segment' and u.ref_id = any($2::bigint[])
           and a.deleted_at is null and a.staged_at is null
         order by a.created_at desc limit ${campaignsMaxCount}`,
        [workspaceId, ids],
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

    /**
     * `taken`: another segment has the name, letter case apart; `limit`: there are `maxCount` segments; `live_limit`: there are
     * `liveMaxCount` live ones.
     */
    async create(
      { workspaceId }: Scope,
      { name, rule, isLive, createdAt }: Pick<SegmentRow, 'name' | 'rule' | 'isLive' | 'createdAt'>,
      { maxCount, liveMaxCount }: { maxCount: number; liveMaxCount: number },
    ): Promise<SegmentRow | 'taken' | 'limit' | 'live_limit'> {
      return inTransaction(pool, async ({ client }) => {
        const counts = await lockCounts(client, workspaceId)
        if (counts.all >= maxCount) return 'limit'
        if (isLive && counts.live >= liveMaxCount) return 'live_limit'
        const { rows } = await client.query<SegmentRow>(
          `insert into segments (workspace_id, name, rule, is_live, next_evaluation_at, created_at, updated_at)
           values ($1, $2, $3, $4, case when $4 then $5::timestamptz end, $5, $5)
           on conflict (workspace_id, lower(name)) where deleted_at is null do nothing returning ${columns}`,
          [workspaceId, name, JSON.stringify(rule), isLive, createdAt],
        )
        return rows[0] ?? 'taken'
      })
    },

    /**
     * `taken`: another segment has the name; `live_limit`: there are `liveMaxCount` live ones. A new rule, and becoming live,
     * have the members compared with all contacts at once.
     */
    async update(
      { workspaceId }: Scope,
      id: string,
      { rule, isLive, ...changes }: Partial<Pick<SegmentRow, 'name' | 'rule' | 'isLive'>> & { updatedAt: Date },
      liveMaxCount: number,
    ): Promise<SegmentRow | 'taken' | 'live_limit' | null> {
      const { sql, values } = setList(changes, 7)
      return inTransaction(pool, async ({ client }) => {
        if (isLive === true && (await lockCounts(client, workspaceId, id)).live >= liveMaxCount) return 'live_limit'
        const { rows } = await client.query<SegmentRow & { isTaken: boolean }>(
          `with other as (
             select from segments where workspace_id = $1 and lower(name) = lower($3) and id <> $2 and deleted_at is null
           ), changed as (
             update segments set ${sql}, rule = coalesce($4, rule), is_live = coalesce($5, is_live),
               rule_version = rule_version + case when $4 is distinct from rule and $4 is not null then 1 else 0 end,
               next_evaluation_at = case when not coalesce($5, is_live) then null
                 when $4 is distinct from rule and $4 is not null or not is_live then $6::timestamptz
                 else next_evaluation_at end
             where workspace_id = $1 and id = $2 and deleted_at is null and not exists (select from other)
             returning ${columns}
           ), left_behind as (
             delete from segment_members m using changed
             where m.workspace_id = $1 and m.segment_id = changed.id and not changed."isLive"
           )
           select changed.*, exists (select from other) as "isTaken" from (select) as one left join changed on true`,
          [
            workspaceId,
            id,
            changes.name ?? null,
            rule === undefined ? null : JSON.stringify(rule),
            isLive ?? null,
            changes.updatedAt,
            ...values,
          ],
        )
        const [row] = rows
        if (row?.isTaken) return 'taken'
        if (row === undefined || (row.id as number | null) === null) return null
        const { isTaken: _isTaken, ...segment } = row
        return segment
      })
    },

    async remove({ workspaceId }: Scope, id: string, at: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `with removed as (
           update segments set deleted_at = $3 where workspace_id = $1 and id = $2 and deleted_at is null returning id
         ), left_behind as (
           delete from segment_members m using removed where m.workspace_id = $1 and m.segment_id = removed.id
         )
         select from removed`,
        [workspaceId, id, at],
      )
      return rowCount === 1
    },

    /** Has all live segments of a workspace compared with all contacts: something that their rules name has changed. */
    async requestRebuild({ workspaceId }: Scope, now: Date): Promise<void> {
      await pool.query(
        `update segments set next_evaluation_at = $2
         where workspace_id = $1 and is_live and deleted_at is null and next_evaluation_at > $2`,
        [workspaceId, now],
      )
    },

    /** What an evaluation found; the age of a count is shown with it. The count of a live segment is that of its members. */
    async noteEvaluation(
      { workspaceId }: Scope,
      id: string,
      { ruleVersion, memberCount, costMs, at }: { ruleVersion: number; memberCount: number; costMs: number; at: Date },
    ): Promise<void> {
      await pool.query(
        `update segments set member_count = $4, cost_ms = $5, evaluated_at = $6
         where workspace_id = $1 and id = $2 and rule_version = $3 and not is_live`,
        [workspaceId, id, ruleVersion, memberCount, costMs, at],
      )
    },
  }
}
