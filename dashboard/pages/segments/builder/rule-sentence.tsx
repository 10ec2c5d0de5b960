import type { ReactNode } from 'react'
import { richText } from '../../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import type { Translate } from '../../../../widgets/lib/messages/messages.ts'
import type { Behaviour, RuleTargets } from '../../../../contract/audience/segment-rule.ts'
import { dayOperators, fieldOfSubject, type Group, type Part, type Row } from './rule-draft.ts'
import { columnValues, subjectLabel, typeOfRow, type RuleNames } from './rule-words.ts'

/** Placeholder of a value that is not entered yet. */
const gap = '…'

interface Telling {
  t: Translate<string>
  names: RuleNames
  targets: Pick<RuleTargets, 'fields'>
}

/** A whole rule as one sentence. */
export function RuleSentence({
  root,
  names,
  targets,
}: {
  root: Group
  names: RuleNames
  targets: Pick<RuleTargets, 'fields'>
}) {
  const t = useText()
  const wording = { t, names, targets }
  return (
    <p className="rule-sentence" data-testid="rule-sentence">
      {root.parts.length === 0 && !root.isNegated
        ? t('All contacts.')
        : isUntouched(root)
          ? t('Choose a field below to describe who belongs to the segment.')
          : richText(t, 'People {rule}.', { rule: <span>{tellGroup(root, wording, true)}</span> })}
    </p>
  )
}

/** Whether no row has a field yet. */
const isUntouched = ({ parts }: Group): boolean => parts.every((part) => part.kind !== 'group' && part.subject === '')

function tellPart(part: Part, wording: Telling): ReactNode {
  if (part.kind === 'group') return tellGroup(part, wording, false)
  const sentence = rowSentence(part, wording)
  return part.isNegated ? richText(wording.t, 'not among those {rule}', { rule: <span>{sentence}</span> }) : sentence
}

function tellGroup({ join, parts, isNegated }: Group, wording: Telling, isOutermost: boolean): ReactNode {
  const { t } = wording
  const between = join === 'all' ? t('and') : t('or')
  const joined = parts.map((part, index) => (
    <span key={part.key}>
      {index > 0 && ` ${between} `}
      {tellPart(part, wording)}
    </span>
  ))
  const needsFrame = isNegated || (!isOutermost && parts.length > 1)
  const framed = needsFrame ? <span>({joined})</span> : <span>{joined}</span>
  return isNegated ? richText(t, 'not among those {rule}', { rule: framed }) : framed
}

function rowSentence(row: Row, wording: Telling): ReactNode {
  const { t, names } = wording
  const { subject } = row
  if (subject === '') return gap
  if (subject === 'list') return tellList(row, wording)
  if (subject === 'segment') {
    const segment = strong(nameOf(row.value, names.segments, t('a deleted segment')))
    return row.op === 'not_member_of'
      ? richText(t, 'not in the segment {segment}', { segment })
      : richText(t, 'in the segment {segment}', { segment })
  }
  if (subject.startsWith('behaviour:')) return tellBehaviour(row, t)
  const label = subjectLabel(subject, names)
  const field = (
    <b>{label === null ? t('deleted field') : typeof fieldOfSubject(subject) === 'string' ? t(label) : label}</b>
  )
  if (row.op === 'is_set') return richText(t, 'with a value in {field}', { field })
  if (row.op === 'is_not_set') return richText(t, 'without a value in {field}', { field })
  if (row.op === 'is_true') return richText(t, 'for whom {field} is true', { field })
  if (row.op === 'is_false') return richText(t, 'for whom {field} is false', { field })
  const phrase = phrases[row.op as keyof typeof phrases] as (typeof phrases)['is'] | undefined
  return richText(t, phrase ?? phrases.is, { field, value: strong(tellValue(row, wording)) })
}

/** Operators with a value. */
const phrases = {
  is: 'whose {field} is {value}',
  is_not: 'whose {field} is not {value}',
  contains: 'whose {field} contains {value}',
  starts_with: 'whose {field} starts with {value}',
  is_one_of: 'whose {field} is {value}',
  eq: 'whose {field} is {value}',
  ne: 'whose {field} is not {value}',
  lt: 'whose {field} is less than {value}',
  lte: 'whose {field} is at most {value}',
  gt: 'whose {field} is more than {value}',
  gte: 'whose {field} is at least {value}',
  between: 'whose {field} is between {value}',
  before: 'whose {field} is before {value}',
  after: 'whose {field} is after {value}',
  within_days: 'whose {field} is within the last {value}',
  older_than_days: 'whose {field} is older than {value}',
  anniversary_in_days: 'whose {field} has its anniversary in {value}',
} as const

function tellList({ op, value, memberState }: Row, { t, names }: Telling): ReactNode {
  const list = strong(nameOf(value, names.lists, t('a deleted list')))
  const isMember = op !== 'not_member_of'
  if (memberState === 'pending')
    return isMember
      ? richText(t, 'not confirmed on {list}', { list })
      : richText(t, 'not waiting for confirmation on {list}', { list })
  if (memberState === 'unsubscribed')
    return isMember
      ? richText(t, 'unsubscribed from {list}', { list })
      : richText(t, 'not unsubscribed from {list}', { list })
  return isMember ? richText(t, 'on {list}', { list }) : richText(t, 'not on {list}', { list })
}

/** With and without. */
const acts: Record<Behaviour, readonly [did: string, didNot: string]> = {
  was_sent: ['sent {what}', 'not sent {what}'],
  opened: ['who opened {what}', 'who did not open {what}'],
  clicked: ['who clicked in {what}', 'who did not click in {what}'],
  replied: ['who replied to {what}', 'who did not reply to {what}'],
  bounced: ['with {what} bounced', 'without {what} bounced'],
  complained: ['who called {what} spam', 'who did not call {what} spam'],
  unsubscribed: ['who unsubscribed', 'who did not unsubscribe'],
}

function tellBehaviour(row: Row, t: Translate<string>): ReactNode {
  const { subject, op, value, times, source, lastCount, campaigns } = row
  const isNot = op === 'never' || op === 'not_within'
  const count = Number(times)
  const [did, didNot] = acts[subject.slice('behaviour:'.length) as Behaviour]
  const act =
    subject === 'behaviour:was_sent' && isNot && count === 1
      ? t('not sent anything')
      : t(isNot ? didNot : did, { what: mailsText(count, t) })
  const which =
    source === 'last'
      ? t('of the last {number} campaigns', { number: lastCount.trim() || gap })
      : source === 'campaigns' &&
        t('of {count} chosen campaign|of {count} chosen campaigns', { count: campaigns.length })
  const when =
    op === 'within' || op === 'not_within'
      ? t('in the last {days}', { days: daysText(value, t) })
      : !isNot && t('at any time')
  return <b>{[act, which, when].filter(Boolean).join(' ')}</b>
}

const mailsText = (count: number, t: Translate<string>): string =>
  Number.isNaN(count) ? gap : count === 1 ? t('a mail') : t('at least {number} mails', { number: count })

/** A number of days in words. */
function daysText(value: string, t: Translate<string>): string {
  const count = Number(value)
  return value.trim() === '' || Number.isNaN(count) ? gap : t('{count} day|{count} days', { count })
}

function tellValue(row: Row, { t, targets }: Telling): string {
  const { op, value, upTo, values, subject } = row
  if (dayOperators.has(op)) return daysText(value, t)
  const known = columnValues[String(fieldOfSubject(subject))]
  const type = typeOfRow(row, targets)
  const tell = (text: string): string => {
    if (text.trim() === '') return gap
    if (type === 'date') return dateText(text, t.lang)
    if (type === 'number') return numberText(text, t.lang)
    const word = known?.find((choice) => choice.value === text)?.text
    return word === undefined ? text : t(word)
  }
  if (op === 'between') return new Intl.ListFormat(t.lang, { type: 'conjunction' }).format([tell(value), tell(upTo)])
  if (op !== 'is_one_of') return tell(value)
  return values.length === 0 ? gap : new Intl.ListFormat(t.lang, { type: 'disjunction' }).format(values.map(tell))
}

function dateText(text: string, lang: string | undefined): string {
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? text : date.toLocaleDateString(lang, { dateStyle: 'medium', timeZone: 'UTC' })
}

function numberText(text: string, lang: string | undefined): string {
  const number = Number(text)
  return Number.isNaN(number) ? text : number.toLocaleString(lang)
}

const nameOf = (id: string, all: readonly { id: string; name: string }[], deleted: string): string =>
  all.find((one) => one.id === id)?.name ?? (id === '' ? gap : deleted)
const strong = (text: string): ReactNode => <b>{text}</b>
