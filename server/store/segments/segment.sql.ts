import {
  contactColumns,
  fieldTypeOf,
  type BehaviourRule,
  type ContactColumn,
  type FieldRule,
  type ListRule,
  type RuleField,
  type SegmentRule,
} from '../../../contract/audience/segment-rule.ts'
import { addDays, anniversaries } from '../../domain/segments/calendar.ts'
import { countedCampaigns, foldCase, type RuleContext } from '../../domain/segments/evaluate.ts'

export interface RuleSql {
  /** Common table expressions of the segments that the rule refers to, to stand behind `with`; empty without any. */
  with: string
  /** Condition on a row `c` of `contacts`; never null. */
  where: string
  /** Values of the parameters, the given ones first. */
  values: unknown[]
}

/**
 * Builds the SQL of a rule. Each value is a parameter, each field number a checked integer. `$1` is the workspace, `$2` its
 * time zone. Agrees with `matchesRule` (tests). `onlyIds`: condition on `c.id` of the segments that the rule refers to, such as
 * that of a sample.
 */
export function ruleToSql(
  rule: SegmentRule,
  context: RuleContext,
  { workspaceId, timezone, onlyIds = 'true' }: { workspaceId: string; timezone: string; onlyIds?: string },
): RuleSql {
  const values: unknown[] = [workspaceId, timezone]
  const parameter = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const expressions = new Map<string, string>()

  const part = (of: SegmentRule): string => {
    if ('all' in of) return join(of.all.map(part), 'and', 'true')
    if ('any' in of) return join(of.any.map(part), 'or', 'false')
    if ('not' in of) return `not ${part(of.not)}`
    if ('field' in of) return field(of)
    if ('behaviour' in of) return behaviour(of)
    if ('list' in of) return list(of)
    const name = segment(of.segment)
    return name === null ? 'false' : `${of.op === 'member_of' ? '' : 'not '}(c.id in (select id from ${name}))`
  }

  /** Name of the expression that holds the segment's contacts; each segment is evaluated once. */
  const segment = (id: string): string | null => {
    const referenced = context.segments.get(id)
    if (referenced === undefined) return null
    const name = `segment_${BigInt(id)}`
    if (!expressions.has(name)) {
      const where = part(referenced)
      expressions.set(
        name,
        `${name} as materialized (select c.id from contacts c where c.workspace_id = $1 and ${onlyIds} and ${where})`,
      )
    }
    return name
  }

  const list = ({ list: id, op, state = 'subscribed' }: ListRule): string => {
    if (!context.lists.has(id)) return 'false'
    return `${op === 'member_of' ? '' : 'not '}(c.id in (select m.contact_id from list_members m
      where m.workspace_id = $1 and m.list_id = ${parameter(id, 'bigint')} and m.state = ${parameter(state, 'text')}))`
  }

  const field = (of: FieldRule): string => {
    const type = fieldTypeOf(of.field, context.fieldTypes)
    if (type === undefined) return 'false'
    const text = textOf(of.field)
    if (of.op === 'is_set') return `(${text} is not null)`
    if (of.op === 'is_not_set') return `(${text} is null)`
    if (of.op === 'is_not')
      return `(${folded(text)} is distinct from ${parameter(foldCase(of.value as string), 'text')})`
    if (type === 'number') return known(numberCondition(of, `(${text})::float8`))
    if (type === 'date') return known(dateCondition(of, text))
    if (type === 'boolean') return known(`${text} = '${of.op === 'is_true'}'`)
    return known(textCondition(of, folded(text)))
  }

  const textCondition = ({ op, value }: FieldRule, text: string): string => {
    if (op === 'is_one_of') return `${text} = any(${parameter((value as readonly string[]).map(foldCase), 'text[]')})`
    const wanted = parameter(foldCase(value as string), 'text')
    if (op === 'is') return `${text} = ${wanted}`
    return op === 'contains' ? `strpos(${text}, ${wanted}) > 0` : `starts_with(${text}, ${wanted})`
  }

  const numberCondition = ({ op, value }: FieldRule, number: string): string => {
    if (op === 'between') {
      const [from, to] = value as readonly [number, number]
      return `${number} between ${parameter(from, 'float8')} and ${parameter(to, 'float8')}`
    }
    const sign = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' }[op as 'eq']
    return `${number} ${sign} ${parameter(value, 'float8')}`
  }

  const dateCondition = ({ op, value }: FieldRule, text: string): string => {
    const day = `(${text} collate "C")`
    const between = (from: string, to: string) =>
      `${day} between ${parameter(from, 'text')} and ${parameter(to, 'text')}`
    if (op === 'before') return `${day} < ${parameter(value, 'text')}`
    if (op === 'after') return `${day} > ${parameter(value, 'text')}`
    if (op === 'between') return between(...(value as readonly [string, string]))
    const days = value as number
    if (op === 'within_days') return between(addDays(context.today, -days), context.today)
    if (op === 'older_than_days') return `${day} < ${parameter(addDays(context.today, -days), 'text')}`
    return `substr(${text}, 6) = any(${parameter(anniversaries(addDays(context.today, days)), 'text[]')})`
  }

  const behaviour = (of: BehaviourRule): string => {
    const campaigns = countedCampaigns(of.source ?? 'any', context.campaigns)
    const from = of.within_days === undefined ? null : addDays(context.today, -of.within_days)
    const times = of.times ?? 1
    if (of.behaviour === 'unsubscribed') {
      if (times > 1) return 'false'
      const conditions = [`s.workspace_id = $1 and s.reason = 'unsubscribed'`]
      if (campaigns) conditions.push(`s.campaign_id = any(${parameter(campaigns, 'uuid[]')})`)
      if (from) conditions.push(`${dayText('s.created_at')} >= ${parameter(from, 'text')}`)
      return `(c.email_key in (select s.email from suppressions s where ${conditions.join(' and ')}))`
    }
    const state = of.behaviour === 'was_sent' ? 'sent' : 'failed'
    const conditions = [`d.workspace_id = $1 and d.contact_id is not null and d.state = '${state}'`]
    if (campaigns) conditions.push(`d.campaign_id = any(${parameter(campaigns, 'uuid[]')})`)
    if (from) {
      conditions.push(`${dayText('d.settled_at')} >= ${parameter(from, 'text')}`)
    }
    const often = times === 1 ? '' : ` group by d.contact_id having count(*) >= ${parameter(times, 'integer')}`
    return `(c.id in (select d.contact_id from deliveries d where ${conditions.join(' and ')}${often}))`
  }

  const where = part(rule)
  return { with: [...expressions.values()].join(', '), where, values }
}

/** Text of a field or column, null where the contact has no value; instants become days of the time zone `$2`. */
function textOf(field: RuleField): string {
  if (typeof field === 'number') return `(c.fields ->> '${Math.trunc(field)}')`
  return contactColumns[field] === 'date' ? dayText(`c.${field satisfies ContactColumn}`) : `c.${field}`
}

const dayText = (instant: string) => `to_char(${instant} at time zone $2::text, 'YYYY-MM-DD')`
const folded = (text: string) => `lower(${text} collate "C")`
/** A comparison with an absent value is false, not unknown: a negation would stay unknown. */
const known = (condition: string) => `coalesce(${condition}, false)`
const join = (parts: readonly string[], operator: string, neutral: string) =>
  parts.length === 0 ? neutral : `(${parts.join(` ${operator} `)})`
