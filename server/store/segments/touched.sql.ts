import type { RuleContext } from '../../domain/segments/evaluate.ts'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { createRuleCompiler, dayText, type AddParameter, type FactSource } from './segment.sql.ts'

/** Conditions of rules on facts that are gathered once for some contacts. */
export interface FactsSql {
  /** Common table expressions, to stand behind `with`: `facts` with a row for each contact, and what the rules refer to. */
  with: string
  /** Conditions on a row `c` of `facts`, in the order of the rules; never null. */
  conditions: string[]
}

/**
 * Builds the conditions of rules on a few contacts: each fact is read once for all rules, by contact, and only where a rule
 * asks for it. `contacts`: SELECT of rows of `contacts`. `$1` is the workspace, `$2` its time zone. Agrees with `matchesRule`
 * (tests).
 */
export function rulesToFactsSql(
  rules: readonly SegmentRule[],
  context: RuleContext,
  add: AddParameter,
  contacts: string,
): FactsSql {
  const needs = { lists: false, unsubscribed: false, sent: false }
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
    wasSent(state, { campaigns, from }, times) {
      needs.sent = true
      const conditions = [`mail.state = '${state}'`]
      if (campaigns !== null) conditions.push(`mail.campaign_id = any(${campaigns})`)
      if (from !== null) conditions.push(`mail.day >= ${from}`)
      return `(c.id in (select mail.id from mails mail where ${conditions.join(' and ')}
        group by mail.id having count(*) >= ${add(times, 'integer')}))`
    },
  }
  const compiler = createRuleCompiler(context, add, source)
  const conditions = rules.map((rule) => compiler.condition(rule))
  const expressions = [
    `gathered as materialized (${contacts})`,
    factsSql(needs),
    ...(needs.sent ? [mailsSql] : []),
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
  select c.id, d.state, d.campaign_id, ${dayText('d.settled_at')} as day
  from deliveries d join gathered c on c.id = d.contact_id
  where d.workspace_id = $1 and d.state in ('sent', 'failed')
  union all
  select c.id, d.state, d.campaign_id, ${dayText('d.settled_at')}
  from deliveries d join gathered c on c.email_key = lower(d.recipient)
  where d.workspace_id = $1 and d.contact_id is null and d.state in ('sent', 'failed')
)`
