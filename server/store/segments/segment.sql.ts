import {
  contactColumns,
  fieldTypeOf,
  type Behaviour,
  type BehaviourRule,
  type ContactColumn,
  type FieldRule,
  type ListRule,
  type RuleField,
  type SegmentRule,
} from '../../../contract/audience/segment-rule.ts'
import { eventKinds } from '../../../contract/results/event.ts'
import { addDays, anniversaries } from '../../domain/segments/calendar.ts'
import { countedCampaigns, foldCase, type RuleContext } from '../../domain/segments/rule-context.ts'

export interface RuleSql {
  /** Common table expressions of the segments that the rule refers to, to stand behind `with`; empty without any. */
  with: string
  /** Condition on a row `c` of `contacts`; never null. */
  where: string
  /** Values of the parameters, the given ones first. */
  values: unknown[]
}

/** Adds a parameter; gives its place. */
export type AddParameter = (value: unknown, type: string) => string

/** Which mails count: SQL of a list of campaigns and of the first day, null without a limit. */
export interface CountedMails {
  campaigns: string | null
  from: string | null
}

/** What can become of a mail. */
export type MailAct = Exclude<Behaviour, 'unsubscribed'>

/** Where acts on mails are recorded: the time in `engagements`, which stays, and the kind in `events`, by people only. */
export const recordedActs: Readonly<Record<Exclude<MailAct, 'was_sent'>, { time: string; kind: number }>> = {
  opened: { time: 'first_open_at', kind: eventKinds.opened },
  clicked: { time: 'first_click_at', kind: eventKinds.clicked },
  replied: { time: 'replied_at', kind: eventKinds.replied },
  bounced: { time: 'bounced_at', kind: eventKinds.bounced },
  complained: { time: 'complained_at', kind: eventKinds.complained },
}

/** Where a rule finds the facts of the contacts `c`. All conditions are never null. */
export interface FactSource {
  /** What follows `from` to read the contacts as `c`. */
  contacts: string
  isMember: (list: string, state: string) => string
  isUnsubscribed: (counted: CountedMails) => string
  /** At least `times` mails of which this became. */
  hasMails: (act: MailAct, counted: CountedMails, times: number) => string
}

/** Condition on the column of a contact's id, such as that of a sample or a range. */
export type OnlyIds = (id: string) => string

/** Reads contacts, memberships and mails from their tables; of contacts outside `onlyIds` nothing is read that can be left out. */
export function tableSource(add: AddParameter, onlyIds: OnlyIds | null = null): FactSource {
  const within = (id: string) => (onlyIds === null ? '' : ` and ${onlyIds(id)}`)
  return {
    contacts: `contacts c where c.workspace_id = $1${within('c.id')}`,
    isMember: (list, state) => `(exists (select from list_members m
      where m.workspace_id = $1 and m.list_id = ${list} and m.contact_id = c.id and m.state = ${state}${within('m.contact_id')}))`,
    isUnsubscribed({ campaigns, from }) {
      const conditions = [`s.workspace_id = $1 and s.email = c.email_key and s.reason = 'unsubscribed'`]
      if (campaigns !== null) conditions.push(`s.campaign_id = any(${campaigns})`)
      if (from !== null) conditions.push(`${dayText('s.created_at')} >= ${from}`)
      return `(exists (select from suppressions s where ${conditions.join(' and ')}))`
    },
    hasMails(act, counted, times) {
      const settled = (state: 'sent' | 'failed') => [
        `select d.contact_id as id, d.id as mail from deliveries d
        where d.workspace_id = $1 and d.contact_id is not null and ${isCounted(state, counted)}${within('d.contact_id')}`,
        `select k.id, d.id from deliveries d join contacts k on k.workspace_id = $1 and k.email_key = lower(d.recipient)
        where d.workspace_id = $1 and d.contact_id is null and ${isCounted(state, counted)}${within('k.id')}`,
      ]
      const parts = [
        ...(act === 'was_sent' ? settled('sent') : [recordedSql(act, counted, within)]),
        ...(act === 'bounced' ? settled('failed') : []),
      ]
      const mails = parts.join(' union all ')
      if (times === 1) return `(c.id in (select mail.id from (${mails}) as mail))`
      return `(c.id in (select mail.id from (${mails}) as mail
        group by mail.id having count(distinct mail.mail) >= ${add(times, 'integer')}))`
    },
  }
}

/** Contacts and mails with this act: of all times from `engagements`, of the last days from `events`. */
function recordedSql(
  act: Exclude<MailAct, 'was_sent'>,
  { campaigns, from }: CountedMails,
  within: (id: string) => string,
): string {
  const { time, kind } = recordedActs[act]
  const ofCampaigns = campaigns === null ? '' : ` and e.source_id = any(${campaigns})`
  const common = `e.workspace_id = $1 and e.contact_id is not null${ofCampaigns}${within('e.contact_id')}`
  if (from === null)
    return `select e.contact_id as id, e.delivery_id as mail from engagements e where ${common} and e.${time} is not null`
  return `select e.contact_id as id, e.delivery_id as mail from events e
    where ${common} and e.kind = ${kind} and coalesce(e.verdict, 1) = 1 and e.delivery_id is not null
      and e.at >= (${from}::date - 1)::timestamp at time zone 'UTC' and ${dayText('e.at')} >= ${from}`
}

/** Condition on the delivery `d`. The comparison of instants is cheap and leaves few rows to the one of days. */
const isCounted = (state: 'sent' | 'failed', { campaigns, from }: CountedMails): string =>
  [
    `d.state = '${state}'`,
    ...(campaigns === null ? [] : [`d.campaign_id = any(${campaigns})`]),
    ...(from === null
      ? []
      : [`d.settled_at >= (${from}::date - 1)::timestamp at time zone 'UTC'`, `${dayText('d.settled_at')} >= ${from}`]),
  ].join(' and ')

/**
 * Builds the SQL of a rule. Each value is a parameter, each field number a checked integer. `$1` is the workspace, `$2` its
 * time zone. An absent value makes each comparison false, `is_not` and `not_member_of` true; a leaf whose field, list or
 * segment is deleted matches no contact. The segments must not refer to each other in a cycle. A test compares it with an
 * evaluation in memory. `onlyIds`: the contacts that the caller asks for.
 */
export function ruleToSql(
  rule: SegmentRule,
  context: RuleContext,
  { workspaceId, timezone, onlyIds }: { workspaceId: string; timezone: string; onlyIds?: OnlyIds | undefined },
): RuleSql {
  const values: unknown[] = [workspaceId, timezone]
  const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`
  const compiler = createRuleCompiler(context, add, tableSource(add, onlyIds ?? null))
  const where = compiler.condition(rule)
  return { with: compiler.expressions().join(', '), where, values }
}

/** Builds the conditions of several rules of one statement, whose parameters `add` collects. */
export function createRuleCompiler(context: RuleContext, parameter: AddParameter, source: FactSource) {
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
        `${name} as materialized (select c.id from (select c.* from ${source.contacts}) as c where ${where})`,
      )
    }
    return name
  }

  const list = ({ list: id, op, state = 'subscribed' }: ListRule): string => {
    if (!context.lists.has(id)) return 'false'
    return `${op === 'member_of' ? '' : 'not '}${source.isMember(parameter(id, 'bigint'), parameter(state, 'text'))}`
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
    const times = of.times ?? 1
    const counted = (): CountedMails => ({
      campaigns: campaigns && parameter(campaigns, 'uuid[]'),
      from: of.within_days === undefined ? null : parameter(addDays(context.today, -of.within_days), 'text'),
    })
    if (of.behaviour === 'unsubscribed') return times > 1 ? 'false' : source.isUnsubscribed(counted())
    return source.hasMails(of.behaviour, counted(), times)
  }

  return {
    /** Condition on a row `c` of the source; never null. */
    condition: part,
    /** Common table expressions of the segments that the rules refer to. */
    expressions: (): string[] => [...expressions.values()],
  }
}

/** Text of a field or column, null where the contact has no value; instants become days of the time zone `$2`. */
function textOf(field: RuleField): string {
  if (typeof field === 'number') return `(c.fields ->> '${Math.trunc(field)}')`
  return contactColumns[field] === 'date' ? dayText(`c.${field satisfies ContactColumn}`) : `c.${field}`
}

/** Day of an instant in the time zone `$2`. */
export const dayText = (instant: string) => `to_char(${instant} at time zone $2::text, 'YYYY-MM-DD')`
const folded = (text: string) => `lower(${text} collate "C")`
/** A comparison with an absent value is false, not unknown: a negation would stay unknown. */
const known = (condition: string) => `coalesce(${condition}, false)`
const join = (parts: readonly string[], operator: string, neutral: string) =>
  parts.length === 0 ? neutral : `(${parts.join(` ${operator} `)})`
