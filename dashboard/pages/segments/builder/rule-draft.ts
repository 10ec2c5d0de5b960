import {
  findRuleFaults,
  type BehaviourRule,
  type BehaviourSource,
  type FieldRule,
  type RuleLeaf,
  type RuleProblem,
  type RuleTargets,
  type SegmentRule,
} from '../../../../contract/audience/segment-rule.ts'

/** What a row asks about; '' as long as nothing is chosen. */
export type Subject = '' | `field:${string}` | 'list' | 'segment' | `behaviour:${string}`

/** A rule as the builder edits it: texts as a person typed them, valid or not. Never changed in place. */
export interface Row {
  readonly kind: 'row'
  readonly key: number
  readonly isNegated: boolean
  readonly subject: Subject
  readonly op: string
  /** Text, number, date, number of days, or the id of a list or segment. */
  readonly value: string
  /** Second value of 'between'. */
  readonly upTo: string
  /** Values of 'is one of'. */
  readonly values: readonly string[]
  /** State of a list's members. */
  readonly memberState: string
  /** Of mails: how often at least. */
  readonly times: string
  /** Of mails: which count. */
  readonly source: 'any' | 'last' | 'campaigns'
  readonly lastCount: string
  readonly campaigns: readonly string[]
}

export interface Group {
  readonly kind: 'group'
  readonly key: number
  readonly isNegated: boolean
  readonly join: 'all' | 'any'
  readonly parts: readonly Part[]
}

export type Part = Group | Row
export type NewKey = () => number

/** A row that asks about nothing yet. */
export function emptyRow(key: number): Row {
  return {
    kind: 'row',
    key,
    isNegated: false,
    subject: '',
    op: '',
    value: '',
    upTo: '',
    values: [],
    memberState: 'subscribed',
    times: '1',
    source: 'any',
    lastCount: '10',
    campaigns: [],
  }
}

/** A group with one empty row. */
export function newGroup(join: Group['join'], newKey: NewKey): Group {
  return { kind: 'group', key: newKey(), isNegated: false, join, parts: [emptyRow(newKey())] }
}

/** A saved rule for editing; its outermost part becomes a group. */
export function readDraft(rule: SegmentRule, newKey: NewKey): Group {
  const part = readPart(rule, newKey)
  if (part.kind === 'group') return part
  return { kind: 'group', key: newKey(), isNegated: false, join: 'all', parts: [part] }
}

function readPart(rule: SegmentRule, newKey: NewKey): Part {
  if ('all' in rule || 'any' in rule) {
    const [join, parts] = 'all' in rule ? (['all', rule.all] as const) : (['any', rule.any] as const)
    const key = newKey()
    return { kind: 'group', key, isNegated: false, join, parts: parts.map((part) => readPart(part, newKey)) }
  }
  if (!('not' in rule)) return { ...emptyRow(newKey()), ...readLeaf(rule) }
  const inner = readPart(rule.not, newKey)
  if (inner.kind === 'row' && !inner.isNegated && inner.op in negatedBehaviour)
    return { ...inner, op: negatedBehaviour[inner.op as keyof typeof negatedBehaviour] }
  if (!inner.isNegated) return { ...inner, isNegated: true }
  return { kind: 'group', key: newKey(), isNegated: true, join: 'all', parts: [inner] }
}

/** Operators on mails, which the builder offers in place of a negation. */
const negatedBehaviour = { ever: 'never', within: 'not_within' } as const

function readLeaf(leaf: RuleLeaf): Partial<Row> {
  if ('field' in leaf) return { subject: `field:${leaf.field}`, op: leaf.op, ...readValue(leaf) }
  if ('list' in leaf) return { subject: 'list', op: leaf.op, value: leaf.list, memberState: leaf.state ?? 'subscribed' }
  if ('segment' in leaf) return { subject: 'segment', op: leaf.op, value: leaf.segment }
  const { behaviour, within_days: days, times, source } = leaf
  return {
    subject: `behaviour:${behaviour}`,
    op: days === undefined ? 'ever' : 'within',
    value: days === undefined ? '' : String(days),
    times: String(times ?? 1),
    ...readSource(source ?? 'any'),
  }
}

function readSource(source: BehaviourSource): Partial<Row> {
  if (source === 'any') return {}
  if ('last' in source) return { source: 'last', lastCount: String(source.last) }
  return { source: 'campaigns', campaigns: source.campaigns }
}

function readValue({ op, value }: FieldRule): Partial<Row> {
  if (value === undefined) return {}
  if (!Array.isArray(value)) return { value: String(value) }
  const texts = value.map(String)
  if (op === 'between') return { value: texts[0] ?? '', upTo: texts[1] ?? '' }
  return { values: texts }
}

/** What is wrong with a row: the control at which it is shown, and why. */
export interface RowFault {
  control: string
  problem: RuleProblem
}

/** A draft as a rule, with what is wrong with it. */
export interface CheckedDraft {
  /** Valid only where there are no faults. */
  rule: SegmentRule
  faults: Readonly<Record<number, RowFault>>
  /** A fault of the whole rule: too many conditions or levels. */
  wholeFault: RuleProblem | null
}

/** The rule of a draft, checked by the contract. */
export function checkDraft(draft: Group, targets: RuleTargets): CheckedDraft {
  const places = new Map<string, number>()
  const rule = writePart(draft, '', { places, targets }) as SegmentRule
  const faults: Record<number, RowFault> = {}
  let wholeFault: RuleProblem | null = null
  for (const { path, problem } of findRuleFaults(rule, targets)) {
    const place = placeOf(path, places)
    if (place === null) wholeFault ??= problem
    else faults[place.key] ??= { control: place.control, problem }
  }
  return { rule, faults, wholeFault }
}

/** The row that a fault's path leads to, and its control. */
function placeOf(path: string, places: ReadonlyMap<string, number>): { key: number; control: string } | null {
  const steps = path.split('.')
  for (let length = steps.length; length > 0; length--) {
    const key = places.get(steps.slice(0, length).join('.'))
    if (key !== undefined) return { key, control: steps[length] ?? 'field' }
  }
  return null
}

interface Writing {
  places: Map<string, number>
  targets: RuleTargets
}

function writePart(part: Part, path: string, writing: Writing): unknown {
  const below = (step: string | number) => (path === '' ? String(step) : `${path}.${step}`)
  if (part.isNegated) return { not: writePart({ ...part, isNegated: false }, below('not'), writing) }
  if (part.kind === 'group') {
    const { join, parts } = part
    return { [join]: parts.map((child, index) => writePart(child, `${below(join)}.${index}`, writing)) }
  }
  if (part.op === 'never' || part.op === 'not_within') {
    const op = part.op === 'never' ? 'ever' : 'within'
    return { not: writePart({ ...part, op }, below('not'), writing) }
  }
  writing.places.set(path, part.key)
  return writeLeaf(part, writing.targets)
}

function writeLeaf(row: Row, targets: RuleTargets): unknown {
  const { subject, op, value } = row
  if (subject === 'list')
    return { list: value, op, ...(row.memberState !== 'subscribed' && { state: row.memberState }) }
  if (subject === 'segment') return { segment: value, op }
  if (subject.startsWith('behaviour:')) return writeBehaviour(row)
  const field = fieldOfSubject(subject)
  const written = writeValue(row, typeof field === 'number' && targets.fields.get(field) === 'number')
  return { field, op, ...(written !== undefined && { value: written }) }
}

/** The field that a row asks about: a number for a custom field, else the name of a column; '' for none. */
export function fieldOfSubject(subject: Subject): number | string {
  const name = subject.startsWith('field:') ? subject.slice('field:'.length) : ''
  return /^\d+$/.test(name) ? Number(name) : name
}

export const valuelessOperators: ReadonlySet<string> = new Set(['is_set', 'is_not_set', 'is_true', 'is_false'])
const numberOperators: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte'])
/** Operators whose value is a number of days. */
export const dayOperators: ReadonlySet<string> = new Set(['within_days', 'older_than_days', 'anniversary_in_days'])

function writeValue({ op, value, upTo, values }: Row, isNumber: boolean): unknown {
  if (valuelessOperators.has(op)) return undefined
  if (op === 'is_one_of') return values
  if (op === 'between') {
    if (value === '' && upTo === '') return undefined
    return isNumber ? [readNumber(value), readNumber(upTo)] : [value, upTo]
  }
  return numberOperators.has(op) || dayOperators.has(op) ? readNumber(value) : value
}

function writeBehaviour({ subject, op, value, times, source, lastCount, campaigns }: Row): unknown {
  return {
    behaviour: subject.slice('behaviour:'.length) as BehaviourRule['behaviour'],
    ...(op === 'within' && { within_days: readNumber(value) }),
    ...(times.trim() !== '1' && { times: readNumber(times) }),
    ...(source === 'last' && { source: { last: readNumber(lastCount) } }),
    ...(source === 'campaigns' && { source: { campaigns } }),
  }
}

/** The number in a text; the text itself where it is not a number, so that the check finds it. */
function readNumber(text: string): number | string {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? text : number
}
