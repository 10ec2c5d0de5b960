import type { FieldType, SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { dayIn } from '../../domain/segments/calendar.ts'
import type { RuleContext } from '../../domain/segments/rule-context.ts'
import type { Database } from '../core/database.ts'

/** What rules of a workspace may refer to, and its time zone. */
export interface WorkspaceRules {
  context: RuleContext
  timezone: string
}

/** Campaigns that "the last n" can reach. */
const campaignsMaxCount = 1000

export type RuleContextStore = ReturnType<typeof createRuleContextStore>

/** Reads what rules refer to. */
export function createRuleContextStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async read({ workspaceId }: Scope, now: Date): Promise<WorkspaceRules> {
      const { rows } = await pool.query<{
        timezone: string
        fields: { no: number; type: FieldType }[] | null
        lists: string[] | null
        segments: { id: string; rule: SegmentRule }[] | null
        campaigns: string[] | null
      }>(
        `select w.timezone,
           (select json_agg(json_build_object('no', f.no, 'type', f.type)) from contact_fields f
            where f.workspace_id = $1 and f.deleted_at is null) as fields,
           (select json_agg(l.id::text) from lists l where l.workspace_id = $1 and l.deleted_at is null) as lists,
           (select json_agg(json_build_object('id', s.id::text, 'rule', s.rule)) from segments s
            where s.workspace_id = $1 and s.deleted_at is null) as segments,
           (select json_agg(c.id order by c.started_at desc) from (
             select c.id, c.started_at from campaigns c
             where c.workspace_id = $1 and c.started_at is not null and c.deleted_at is null
             order by c.started_at desc limit ${campaignsMaxCount}
           ) as c) as campaigns
         from workspaces w where w.id = $1`,
        [workspaceId],
      )
      const { timezone = 'UTC', fields, lists, segments, campaigns } = rows[0] ?? {}
      return {
        timezone,
        context: {
          today: dayIn(timezone, now),
          fieldTypes: new Map(fields?.map(({ no, type }) => [no, type])),
          lists: new Set(lists),
          segments: new Map(segments?.map(({ id, rule }) => [id, rule])),
          campaigns: campaigns ?? [],
        },
      }
    },
  }
}
