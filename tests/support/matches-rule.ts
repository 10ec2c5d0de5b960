import {
  fieldTypeOf,
  type Behaviour,
  type BehaviourRule,
  type FieldRule,
  type MemberState,
  type RuleField,
  type SegmentRule,
} from '../../contract/audience/segment-rule.ts'
import type { FieldValue } from '../../server/domain/contacts/field-value.ts'
import { addDays, anniversaries } from '../../server/domain/segments/calendar.ts'
import { countedCampaigns, foldCase, type RuleContext } from '../../server/domain/segments/rule-context.ts'

/** What became of a mail to the contact. */
export interface MailFact {
  /** Identifies the mail: repeated acts count once. */
  mail: string
  campaignId: string | null
  act: Exclude<Behaviour, 'unsubscribed'>
  /** Day in the workspace's time zone, `YYYY-MM-DD`. */
  day: string
}

/** What rules compare. Days are those of the workspace's time zone. */
export interface ContactFacts {
  id: string
  /** Columns by name; days as `YYYY-MM-DD`, null where the contact has no value. */
  columns: Readonly<Record<string, string | null>>
  /** Custom fields by number. */
  fields: Readonly<Record<number, FieldValue>>
  lists: ReadonlyMap<string, MemberState>
  mails: readonly MailFact[]
  unsubscribed: { campaignId: string | null; day: string } | null
}

/**
 * Whether a rule matches a contact: the reference that the SQL of `store/segments` agrees with. An absent value makes each
 * comparison false, `is_not` and `not_member_of` true. A leaf whose field, list or segment is deleted matches no contact.
 * The segments must not refer to each other in a cycle.
 */
export function matchesRule(rule: SegmentRule, contact: ContactFacts, context: RuleContext): boolean {
  const matches = (part: SegmentRule): boolean => {
    if ('all' in part) return part.all.every(matches)
    if ('any' in part) return part.any.some(matches)
    if ('not' in part) return !matches(part.not)
    if ('field' in part) return matchesField(part, contact, context)
    if ('behaviour' in part) return matchesBehaviour(part, contact, context)
    if ('list' in part) {
      if (!context.lists.has(part.list)) return false
      return (contact.lists.get(part.list) === (part.state ?? 'subscribed')) === (part.op === 'member_of')
    }
    const other = context.segments.get(part.segment)
    return other !== undefined && matches(other) === (part.op === 'member_of')
  }
  return matches(rule)
}

function matchesField(rule: FieldRule, contact: ContactFacts, { fieldTypes, today }: RuleContext): boolean {
  const type = fieldTypeOf(rule.field, fieldTypes)
  if (type === undefined) return false
  const value = valueOf(contact, rule.field)
  if (rule.op === 'is_set') return value !== null
  if (rule.op === 'is_not_set') return value === null
  if (value === null) return rule.op === 'is_not'
  if (type === 'number') return matchesNumber(rule, value as number)
  if (type === 'date') return matchesDate(rule, value as string, today)
  if (type === 'boolean') return value === (rule.op === 'is_true')
  return matchesText(rule, foldCase(value as string))
}

function valueOf({ columns, fields }: ContactFacts, field: RuleField): FieldValue | null {
  return (typeof field === 'number' ? fields[field] : columns[field]) ?? null
}

function matchesText({ op, value }: FieldRule, text: string): boolean {
  if (op === 'is_one_of') return (value as readonly string[]).some((entry) => foldCase(entry) === text)
  const wanted = foldCase(value as string)
  if (op === 'is') return text === wanted
  if (op === 'is_not') return text !== wanted
  return op === 'contains' ? text.includes(wanted) : text.startsWith(wanted)
}

function matchesNumber({ op, value }: FieldRule, number: number): boolean {
  if (op === 'between') {
    const [from, to] = value as readonly [number, number]
    return number >= from && number <= to
  }
  const wanted = value as number
  if (op === 'eq') return number === wanted
  if (op === 'ne') return number !== wanted
  if (op === 'lt') return number < wanted
  if (op === 'lte') return number <= wanted
  return op === 'gt' ? number > wanted : number >= wanted
}

/** Days compare as text: all have the form `YYYY-MM-DD`. */
function matchesDate({ op, value }: FieldRule, day: string, today: string): boolean {
  if (op === 'before') return day < (value as string)
  if (op === 'after') return day > (value as string)
  if (op === 'between') {
    const [from, to] = value as readonly [string, string]
    return day >= from && day <= to
  }
  const days = value as number
  if (op === 'within_days') return day >= addDays(today, -days) && day <= today
  if (op === 'older_than_days') return day < addDays(today, -days)
  return anniversaries(addDays(today, days)).includes(day.slice(5))
}

function matchesBehaviour(rule: BehaviourRule, { mails, unsubscribed }: ContactFacts, context: RuleContext): boolean {
  const counted = countedCampaigns(rule.source ?? 'any', context.campaigns)
  const from = rule.within_days === undefined ? '' : addDays(context.today, -rule.within_days)
  const counts = ({ campaignId, day }: { campaignId: string | null; day: string }) =>
    day >= from && (counted === null || (campaignId !== null && counted.includes(campaignId)))
  const times = rule.times ?? 1
  if (rule.behaviour === 'unsubscribed') return times === 1 && unsubscribed !== null && counts(unsubscribed)
  const own = mails.filter((fact) => fact.act === rule.behaviour && counts(fact))
  return new Set(own.map(({ mail }) => mail)).size >= times
}
