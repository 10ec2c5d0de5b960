import type { RuleContext } from '../../domain/segments/rule-context.ts'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { createRuleCompiler, dayText, recordedActs, type AddParameter, type FactSource } from './segment.sql.ts'

/** Conditions of rules on facts that are gathered once for some contacts. */
export interface FactsSql {
  /** Common table expressions, to stand behind `with`: `facts` with a row for each contact, and what the rules refer to. */
  with: string
  /** Conditions on a row `c` of `facts`, in the order of the rules; never null. */
  conditions: string[]
}

/**
 * Builds the conditions of rules on a few contacts: each fact is read once for all rules, by contact, and only where a rule
 * asks for it. `contacts`: SELECT of rows of `contacts`. `$1` is the workspace, `$2` its time zone. Matches as
 * `ruleToSql` does.
 */
export function rulesToFactsSql(
  rules: readonly SegmentRule[],
  context: RuleContext,
  add: AddParameter,
  contacts: string,
): FactsSql {
  const needs = { lists: false, unsubscribed: false, sent: false, engaged: false, recent: false }
  const source: FactSource = {
    contacts: 'facts c where true',
    isMember(list, state) {
      needs.lists = true
      return `coalesce(c.lists ->> (${list})::text = ${state}, false)`
    },
    isUnsubscribed({ campaigns, from }) {
      needs.unsubscribed = true
      const conditions = ['c.unsubscribed_day is not null']
      if (campaigns !== null) conditions.push(`c.unsubscribed_by = any(${campaigns})`)
      if (from !== null) conditions.push(`c.unsubscribed_day >= ${from}`)
      return `coalesce(${conditions.join(' and ')}, false)`
    },
    hasMails(act, { campaigns, from }, times) {
      const parts: string[] = []
      const read = (table: string, conditions: readonly string[]) => {
        const ofCampaigns = campaigns === null ? [] : [`mail.campaign_id = any(${campaigns})`]
        parts.push(
          `select mail.id, mail.mail from ${table} mail where ${[...conditions, ...ofCampaigns].join(' and ')}`,
        )
      }
      const since = from === null ? [] : [`mail.day >= ${from}`]
      if (act === 'was_sent' || act === 'bounced') {
        needs.sent = true
        read('mails', [`mail.state = '${act === 'was_sent' ? 'sent' : 'failed'}'`, ...since])
      }
      if (act !== 'was_sent' && from === null) {
        needs.engaged = true
        read('engaged', [`mail.${recordedActs[act].time} is not null`])
      } else if (act !== 'was_sent') {
        needs.recent = true
        read('acted', [`mail.kind = ${recordedActs[act].kind}`, ...since])
      }
      return `(c.id in (select one.id from (${parts.join(' union all ')}) as one
        group by one.id having count(distinct one.mail) >= ${add(times, 'integer')}))`
    },
  }
  const compiler = createRuleCompiler(context, add, source)
  const conditions = rules.map((rule) => compiler.condition(rule))
  const expressions = [
    `gathered as materialized (${contacts})`,
    factsSql(needs),
    ...(needs.sent ? [mailsSql] : []),
    ...(needs.engaged ? [engagedSql] : []),
    ...(needs.recent ? [actedSql] : []),
    ...compiler.expressions(),
  ]
  return { with: expressions.join(', '), conditions }
}

const factsSql = (needs: { lists: boolean; unsubscribed: boolean }) => `facts as materialized (
  select c.*
    ${
      needs.lists
        ? `, (select jsonb_object_agg(m.list_id::text, m.state) from list_members m
             where m.workspace_id = $1 and m.contact_id = c.id) as lists`
        : ''
    }
    ${needs.unsubscribed ? `, s.campaign_id as unsubscribed_by, ${dayText('s.created_at')} as unsubscribed_day` : ''}
  from gathered c
    ${
      needs.unsubscribed
        ? `left join suppressions s on s.workspace_id = $1 and s.email = c.email_key and s.reason = 'unsubscribed'`
        : ''
    }
)`

const mailsSql = `mails as materialized (
  select c.id, d.id as mail, d.state, d.campaign_id, ${dayText('d.settled_at')} as day
  from deliveries d join gathered c on c.id = d.contact_id
  where d.workspace_id = $1 and d.state in ('sent', 'failed')
  union all
  select c.id, d.id, d.state, d.campaign_id, ${dayText('d.settled_at')}
  from deliveries d join gathered c on c.email_key = lower(d.recipient)
  where d.workspace_id = $1 and d.contact_id is null and d.state in ('sent', 'failed')
)`

/** What became of the contacts' mails at any time, by people. */
const engagedSql = `engaged as materialized (
  select c.id, e.delivery_id as mail, e.source_id as campaign_id, ${Object.values(recordedActs)
    .map(({ time }) => `e.${time}`)
    .join(', ')}
  from gathered c join engagements e on e.workspace_id = $1 and e.contact_id = c.id
)`

/** The same with its days, as long as events are kept. */
const actedSql = `acted as materialized (
  select c.id, e.delivery_id as mail, e.source_id as campaign_id, e.kind, ${dayText('e.at')} as day
  from gathered c join events e on e.workspace_id = $1 and e.contact_id = c.id
  where e.kind in (${Object.values(recordedActs)
    .map(({ kind }) => kind)
    .join(', ')}) and coalesce(e.verdict, 1) = 1 and e.delivery_id is not null
)`
