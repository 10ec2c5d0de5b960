import { ruleLeavesMaxCount, ruleLevelsMaxCount, ruleValuesMaxCount, ruleDaysMax } from './segment.limits.ts'

/** Types of a custom field. */
export const fieldTypes = ['text', 'number', 'date', 'boolean', 'choice'] as const
export type FieldType = (typeof fieldTypes)[number]

/** Columns of a contact that a rule may use beside custom fields, with their types. */
export const contactColumns = {
  email: 'text',
  status: 'text',
  source: 'text',
  locale: 'text',
  timezone: 'text',
  created_at: 'date',
  last_sent_at: 'date',
  last_open_at: 'date',
  last_click_at: 'date',
  last_reply_at: 'date',
} as const satisfies Record<string, FieldType>
export type ContactColumn = keyof typeof contactColumns

const presence = ['is_set', 'is_not_set'] as const
const textOperators = ['is', 'is_not', 'contains', 'starts_with', 'is_one_of', ...presence] as const
/** Operators of each type, in the order in which a screen offers them. */
export const fieldOperators = {
  text: textOperators,
  choice: textOperators,
  number: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', ...presence],
  date: ['before', 'after', 'between', 'within_days', 'older_than_days', 'anniversary_in_days', ...presence],
  boolean: ['is_true', 'is_false', ...presence],
} as const satisfies Record<FieldType, readonly string[]>
export type FieldOperator = (typeof fieldOperators)[FieldType][number]

export const memberStates = ['subscribed', 'pending', 'unsubscribed'] as const
export type MemberState = (typeof memberStates)[number]

/** Opens and clicks are those of people; a reply is no automatic one; `bounced`: refused at once or by a later mail. */
export const behaviours = ['was_sent', 'opened', 'clicked', 'replied', 'bounced', 'complained', 'unsubscribed'] as const
export type Behaviour = (typeof behaviours)[number]

/** A custom field by its number, or a column by its name. */
export type RuleField = number | ContactColumn
export type RuleValue = string | number | readonly string[] | readonly [number, number] | readonly [string, string]

export interface FieldRule {
  field: RuleField
  op: FieldOperator
  /** Absent for operators that take none; dates are `YYYY-MM-DD`. */
  value?: RuleValue
}

export interface ListRule {
  list: string
  op: 'member_of' | 'not_member_of'
  /** Absent: `subscribed`. */
  state?: MemberState
}

/** By reference: the people whom the other segment's present rule matches. */
export interface SegmentReference {
  segment: string
  op: 'member_of' | 'not_member_of'
}

/** Which mails count: all, those of these campaigns, or those of the last campaigns that began. */
export type BehaviourSource = 'any' | { campaigns: readonly string[] } | { last: number }

export interface BehaviourRule {
  behaviour: Behaviour
  source?: BehaviourSource
  within_days?: number
  /** At least so many mails; absent: 1. */
  times?: number
}

export type RuleLeaf = FieldRule | ListRule | SegmentReference | BehaviourRule
export type SegmentRule =
  | { all: readonly SegmentRule[] }
  | { any: readonly SegmentRule[] }
  | { not: SegmentRule }
  | RuleLeaf

export type RuleProblem =
  | 'not_a_rule'
  | 'leaves'
  | 'levels'
  | 'field'
  | 'operator'
  | 'value_missing'
  | 'value'
  | 'list'
  | 'segment'

/** What is wrong with a rule, each with the sentence that names the remedy. */
export const ruleProblems: Record<RuleProblem, string> = {
  not_a_rule: 'is not a rule; give one of all, any, not, field, list, segment or behaviour',
  leaves: `has more conditions than ${ruleLeavesMaxCount}; split it into segments and refer to them`,
  levels: `is nested deeper than ${ruleLevelsMaxCount} levels; split it into segments and refer to them`,
  field: 'names a field that does not exist; choose another field',
  operator: 'has an operator that this type of field does not have',
  value_missing: 'needs a value',
  value: 'has a value of the wrong type for its operator',
  list: 'names a list that does not exist; choose another list',
  segment: 'names a segment that does not exist; choose another segment',
}

export interface RuleFault {
  /** Place in the rule, such as `all.2.value`; empty for the rule itself. */
  path: string
  problem: RuleProblem
}

/** What rules may refer to. */
export interface RuleTargets {
  /** Types of the custom fields that are not deleted, by number. */
  fields: ReadonlyMap<number, FieldType>
  lists: ReadonlySet<string>
  segments: ReadonlySet<string>
}

/** Type of a rule's field; undefined where there is no such field. */
export function fieldTypeOf(field: RuleField, fields: ReadonlyMap<number, FieldType>): FieldType | undefined {
  if (typeof field === 'number') return fields.get(field)
  return Object.hasOwn(contactColumns, field) ? contactColumns[field] : undefined
}

/** Conditions below a rule, in depth-first order. */
export function* leavesOf(rule: SegmentRule): Generator<RuleLeaf> {
  if ('all' in rule) for (const part of rule.all) yield* leavesOf(part)
  else if ('any' in rule) for (const part of rule.any) yield* leavesOf(part)
  else if ('not' in rule) yield* leavesOf(rule.not)
  else yield rule
}

/** Ids of the segments that a rule refers to. */
export function referencedSegments(rule: SegmentRule): string[] {
  return [...leavesOf(rule)].flatMap((leaf) => ('segment' in leaf ? [leaf.segment] : []))
}

/**
 * Reads a rule from JSON: its faults in the order of the tree, none for a valid rule. Size is checked first, so that the
 * work is bounded by `ruleLeavesMaxCount` whatever is given. `targets` absent: only the shape is checked.
 */
export function findRuleFaults(value: unknown, targets?: RuleTargets): RuleFault[] {
  const size = measure(value)
  if (size !== null) return [{ path: '', problem: size }]
  const faults: RuleFault[] = []
  checkPart(value, '', { faults, targets })
  return faults
}

/** `levels` or `leaves` where a limit is exceeded. Visits at most the permitted number of nodes. */
function measure(value: unknown): 'levels' | 'leaves' | null {
  let leaves = 0
  // Groups without conditions count too, or a rule of many empty groups would have no bound.
  const visit = (part: unknown, level: number): 'levels' | 'leaves' | null => {
    if (level > ruleLevelsMaxCount) return 'levels'
    const children = childrenOf(part)
    if (children.length === 0) return ++leaves > ruleLeavesMaxCount ? 'leaves' : null
    if (children.length > ruleLeavesMaxCount) return 'leaves'
    for (const child of children) {
      const problem = visit(child, level + 1)
      if (problem) return problem
    }
    return null
  }
  return visit(value, 1)
}

function childrenOf(part: unknown): readonly unknown[] {
  if (!isRecord(part)) return []
  if (Array.isArray(part['all'])) return part['all']
  if (Array.isArray(part['any'])) return part['any']
  return 'not' in part ? [part['not']] : []
}

interface Check {
  faults: RuleFault[]
  targets: RuleTargets | undefined
}

function checkPart(part: unknown, path: string, check: Check): unknown {
  const fault = (problem: RuleProblem, at = path) => check.faults.push({ path: at, problem })
  const inside = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
  if (!isRecord(part)) return fault('not_a_rule')
  const kind = partKinds.find((key) => key in part)
  if (kind === undefined || Object.keys(part).some((key) => !keysOf[kind].includes(key))) return fault('not_a_rule')
  const value = part[kind]
  if (kind === 'all' || kind === 'any') {
    if (!Array.isArray(value)) return fault('not_a_rule', inside(kind))
    return value.map((child, index) => checkPart(child, `${inside(kind)}.${index}`, check))
  }
  if (kind === 'not') return checkPart(value, inside('not'), check)
  if (kind === 'behaviour') return checkBehaviour(part, { fault, inside })
  if (kind === 'field') return checkField(part, check.targets, { fault, inside })
  return checkMembership(kind, part, check.targets, { fault, inside })
}

function checkMembership(
  kind: 'list' | 'segment',
  part: Record<string, unknown>,
  targets: RuleTargets | undefined,
  { fault, inside }: Reporter,
): unknown {
  const id = part[kind]
  if (typeof id !== 'string' || !isId(id)) return fault(kind, inside(kind))
  if (part['op'] !== 'member_of' && part['op'] !== 'not_member_of') return fault('operator', inside('op'))
  if ('state' in part && !includes(memberStates, part['state'])) return fault('value', inside('state'))
  const known = kind === 'list' ? targets?.lists : targets?.segments
  return known && !known.has(id) ? fault(kind, inside(kind)) : null
}

const partKinds = ['all', 'any', 'not', 'field', 'list', 'segment', 'behaviour'] as const
const keysOf: Record<(typeof partKinds)[number], readonly string[]> = {
  all: ['all'],
  any: ['any'],
  not: ['not'],
  field: ['field', 'op', 'value'],
  list: ['list', 'op', 'state'],
  segment: ['segment', 'op'],
  behaviour: ['behaviour', 'source', 'within_days', 'times'],
}

interface Reporter {
  fault: (problem: RuleProblem, at?: string) => unknown
  inside: (key: string) => string
}

function checkField(
  part: Record<string, unknown>,
  targets: RuleTargets | undefined,
  { fault, inside }: Reporter,
): unknown {
  const { field, op, value } = part
  const type = typeOfPart(field, targets)
  if (type === undefined) return fault('field', inside('field'))
  const operators: readonly string[] = type === null ? Object.values(fieldOperators).flat() : fieldOperators[type]
  if (typeof op !== 'string' || !operators.includes(op)) return fault('operator', inside('op'))
  if (noValue.has(op)) return value === undefined ? null : fault('value', inside('value'))
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return fault('value_missing', inside('value'))
  return acceptsValue(op as FieldOperator, type, value) ? null : fault('value', inside('value'))
}

/**
 * Type of a field; undefined where there is none. Null without targets, where the type of a custom field is unknown: any
 * operator with a value that it could take passes then.
 */
function typeOfPart(field: unknown, targets: RuleTargets | undefined): FieldType | null | undefined {
  const isNumber = typeof field === 'number' && Number.isInteger(field) && field >= 1 && field <= 32_767
  if (!isNumber && typeof field !== 'string') return undefined
  if (isNumber && targets === undefined) return null
  return fieldTypeOf(field as RuleField, targets?.fields ?? new Map())
}

const noValue: ReadonlySet<string> = new Set(['is_set', 'is_not_set', 'is_true', 'is_false'])
const numberOperators: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte'])
const dayOperators: ReadonlySet<string> = new Set(['within_days', 'older_than_days', 'anniversary_in_days'])

function acceptsValue(op: FieldOperator, type: FieldType | null, value: unknown): boolean {
  if (numberOperators.has(op)) return isFiniteNumber(value)
  if (dayOperators.has(op)) return isDayCount(value)
  if (op === 'before' || op === 'after') return isDate(value)
  if (op === 'is_one_of') return Array.isArray(value) && value.length <= ruleValuesMaxCount && value.every(isText)
  if (op !== 'between') return isText(value)
  if (!Array.isArray(value) || value.length !== 2) return false
  return (type !== 'date' && value.every(isFiniteNumber)) || (type !== 'number' && value.every(isDate))
}

function checkBehaviour(part: Record<string, unknown>, { fault, inside }: Reporter): unknown {
  const { behaviour, source, within_days: days, times } = part
  if (!includes(behaviours, behaviour)) return fault('operator', inside('behaviour'))
  if (source !== undefined && source !== 'any' && !isSource(source)) return fault('value', inside('source'))
  if (days !== undefined && !isDayCount(days)) return fault('value', inside('within_days'))
  const isTimes = Number.isInteger(times) && (times as number) >= 1 && (times as number) <= 10_000
  return times === undefined || isTimes ? null : fault('value', inside('times'))
}

function isSource(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false
  const { campaigns, last } = value
  if (Array.isArray(campaigns))
    return campaigns.length > 0 && campaigns.length <= ruleValuesMaxCount && campaigns.every(isUuid)
  return Number.isInteger(last) && (last as number) >= 1 && (last as number) <= ruleValuesMaxCount
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const includes = <T extends string>(known: readonly T[], value: unknown): value is T =>
  (known as readonly unknown[]).includes(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 10_000
const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isDayCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= ruleDaysMax
const isId = (value: string) => /^[1-9]\d{0,17}$/.test(value)
const isUuid = (value: unknown) =>
  typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)

/** Whether the text is a day of the calendar, written `YYYY-MM-DD`; years 0001 to 9999. */
export function isDate(value: unknown): value is string {
  const parts = typeof value === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null
  if (parts === null || parts[1] === '0000') return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const days = [
    31,
    year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ]
  return day >= 1 && day <= (days[month - 1] ?? 0)
}
