import type { ContactField } from '../../../../contract/audience/contact-field.ts'
import {
  fieldOperators,
  fieldTypeOf,
  behaviours,
  type Behaviour,
  type ContactColumn,
  type FieldOperator,
  type FieldType,
  type MemberState,
  type RuleField,
  type RuleTargets,
} from '../../../../contract/audience/segment-rule.ts'
import { dayOperators, fieldOfSubject, type Row, type RowFault, type Subject } from './rule-draft.ts'

/** What rules refer to, for people. */
export interface RuleNames {
  fields: readonly ContactField[]
  lists: readonly { id: string; name: string }[]
  segments: readonly { id: string; name: string }[]
}

/** A choice of a select; `text` is translated when it is shown, except a name that a person gave. */
export interface Choice {
  value: string
  text: string
}

const columnLabels: Record<ContactColumn, string> = {
  email: 'Email address',
  status: 'Status',
  source: 'Source',
  locale: 'Language',
  timezone: 'Time zone',
  created_at: 'Date added',
  last_sent_at: 'Date of the last mail',
  last_open_at: 'Date of the last open',
  last_click_at: 'Date of the last click',
  last_reply_at: 'Date of the last reply',
}

const behaviourLabels: Record<Behaviour, string> = {
  was_sent: 'Mails sent',
  opened: 'Mails opened',
  clicked: 'Mails clicked',
  replied: 'Mails replied to',
  bounced: 'Mails bounced',
  complained: 'Mails called spam',
  unsubscribed: 'Unsubscribed',
}

const operatorLabels: Record<FieldOperator, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  starts_with: 'starts with',
  is_one_of: 'is one of',
  is_set: 'is set',
  is_not_set: 'is not set',
  eq: 'is equal to',
  ne: 'is not equal to',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  between: 'is between',
  before: 'is before',
  after: 'is after',
  within_days: 'is within the last',
  older_than_days: 'is older than',
  anniversary_in_days: 'has its anniversary in',
  is_true: 'is true',
  is_false: 'is false',
}

const memberOperators: readonly Choice[] = [
  { value: 'member_of', text: 'is a member of' },
  { value: 'not_member_of', text: 'is not a member of' },
]
const behaviourOperators: readonly Choice[] = [
  { value: 'within', text: 'within the last' },
  { value: 'not_within', text: 'not within the last' },
  { value: 'ever', text: 'at any time' },
  { value: 'never', text: 'never' },
]

/** States of a list's members, as a choice. */
export const memberStateChoices: readonly (Choice & { value: MemberState })[] = [
  { value: 'subscribed', text: 'Subscribed' },
  { value: 'pending', text: 'Not confirmed' },
  { value: 'unsubscribed', text: 'Unsubscribed' },
]

/** Known values of a column, with their words. */
export const columnValues: Readonly<Record<string, readonly Choice[]>> = {
  status: [
    { value: 'active', text: 'Active' },
    { value: 'unsubscribed', text: 'Unsubscribed' },
    { value: 'bounced', text: 'Bounced' },
    { value: 'complained', text: 'Called it spam' },
    { value: 'manual', text: 'Suppressed by hand' },
  ],
  source: [
    { value: 'import', text: 'Import' },
    { value: 'manual', text: 'Added by hand' },
    { value: 'api', text: 'API' },
    { value: 'form', text: 'Form' },
  ],
}

/** The only values that a field can have; null where it can have any. */
export function knownChoices(
  subject: Subject,
  type: FieldType | null,
  { fields }: Pick<RuleNames, 'fields'>,
): Choice[] | null {
  const field = fieldOfSubject(subject)
  const known = typeof field === 'string' ? columnValues[field] : undefined
  if (known !== undefined) return [...known]
  if (type !== 'choice') return null
  const own = fields.find(({ no }) => no === field)
  return own?.choices.map((value) => ({ value, text: value })) ?? null
}

/** What a row can ask about, in groups. What the row has already is offered even where it would not be otherwise. */
export function subjectChoices(
  { fields, segments }: RuleNames,
  present: Subject,
): { label: string; choices: Choice[] }[] {
  const columns = Object.entries(columnLabels).map(([name, text]) => ({ value: `field:${name}`, text }))
  const own = fields.map(({ no, label, key }) => ({ value: `field:${no}`, text: label || key }))
  const groups = [
    { label: 'Contact', choices: columns },
    { label: 'Fields', choices: own },
    {
      label: 'Lists and segments',
      choices: [
        { value: 'list', text: 'List' },
        ...(segments.length > 0 || present === 'segment' ? [{ value: 'segment', text: 'Segment' }] : []),
      ],
    },
    {
      label: 'Mails',
      choices: behaviours.map((name) => ({ value: `behaviour:${name}`, text: behaviourLabels[name] })),
    },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

/** The type of the field that a row asks about; null for another subject or a deleted field. */
export function typeOfRow({ subject }: Pick<Row, 'subject'>, targets: Pick<RuleTargets, 'fields'>): FieldType | null {
  const field = fieldOfSubject(subject)
  return field === '' ? null : (fieldTypeOf(field as RuleField, targets.fields) ?? null)
}

/** The operators that a row's subject has. */
export function operatorChoices(row: Pick<Row, 'subject' | 'op'>, targets: Pick<RuleTargets, 'fields'>): Choice[] {
  const { subject, op } = row
  if (subject === 'list' || subject === 'segment') return [...memberOperators]
  if (subject.startsWith('behaviour:')) return [...behaviourOperators]
  const type = typeOfRow(row, targets)
  if (type !== null) return fieldOperators[type].map((value) => ({ value, text: operatorLabels[value] }))
  return op === '' ? [] : [{ value: op, text: operatorLabels[op as FieldOperator] }]
}

/** The name of what a row asks about; null for a deleted field. */
export function subjectLabel(subject: Subject, { fields }: Pick<RuleNames, 'fields'>): string | null {
  if (subject === 'list') return 'List'
  if (subject === 'segment') return 'Segment'
  if (subject.startsWith('behaviour:')) return behaviourLabels[subject.slice('behaviour:'.length) as Behaviour]
  const field = fieldOfSubject(subject)
  if (typeof field === 'string') return Object.hasOwn(columnLabels, field) ? columnLabels[field as ContactColumn] : null
  const own = fields.find(({ no }) => no === field)
  return own === undefined ? null : own.label || own.key
}

/** What to do about a row's fault. */
export function faultText({ control, problem }: RowFault, row: Row, targets: Pick<RuleTargets, 'fields'>): string {
  if (problem === 'field') return row.subject === '' ? 'Choose a field.' : 'This field was deleted. Choose another one.'
  if (problem === 'list') return row.value === '' ? 'Choose a list.' : 'This list was deleted. Choose another one.'
  if (problem === 'segment')
    return row.value === '' ? 'Choose a segment.' : 'This segment was deleted. Choose another one.'
  if (problem === 'operator') return 'Choose how to compare.'
  if (control === 'times') return 'Enter how many mails, from 1 to 10,000.'
  if (control === 'source') return 'Enter how many campaigns, from 1 to 1,000.'
  if (control === 'within_days' || dayOperators.has(row.op)) return 'Enter a number of days, from 0 to 36,500.'
  return valueFault(row.op, typeOfRow(row, targets))
}

function valueFault(op: string, type: FieldType | null): string {
  const isRange = op === 'between'
  if (type === 'number') return isRange ? 'Enter two numbers.' : 'Enter a number.'
  if (type === 'date') return isRange ? 'Enter two dates.' : 'Enter a date.'
  return op === 'is_one_of' ? 'Enter at least one value.' : 'Enter a value.'
}
