import type { ContactField } from '../../../contract/audience/contact-field.ts'
import type { ContactFilter, ContactSort, ContactStatus } from '../../../contract/audience/contact.ts'
import { memberStates, type MemberState, type SegmentRule } from '../../../contract/audience/segment-rule.ts'

/** What narrows and orders the contacts of the screen; '' for any. */
export interface ContactsFilter {
  search: string
  status: ContactStatus | ''
  list: string
  /** Which members of the list: '' for those who are subscribed, `any` for all. */
  member: '' | 'any' | 'pending' | 'unsubscribed'
  segment: string
  /** Number of a custom field, and what it is: `true` or `false` for yes or no, `YYYY-MM-DD` for a date. */
  field: string
  value: string
  sort: ContactSort | ''
}

/** Fields that the search reads: numbers of those that every workspace begins with. */
const nameNos = [1, 2]

type Fields = readonly Pick<ContactField, 'no' | 'type'>[]

export const isFiltered = ({ search, status, list, segment, field }: ContactsFilter): boolean =>
  search.trim() !== '' || status !== '' || list !== '' || segment !== '' || field !== ''

const memberOf = (list: string, state?: MemberState): SegmentRule => ({
  list,
  op: 'member_of',
  ...(state && { state }),
})

/** The list or segment that has just the people of a filter; null if there is none. */
export function audienceOf(filter: ContactsFilter): { kind: 'list' | 'segment'; id: string } | null {
  const { list, member, segment } = filter
  const isOne = (one: 'list' | 'segment') => !isFiltered({ ...filter, [one]: '' })
  if (list !== '' && member === '' && isOne('list')) return { kind: 'list', id: list }
  return segment !== '' && isOne('segment') ? { kind: 'segment', id: segment } : null
}

/** What the calls take as a rule only: members of a list in one state, and a value of a field. */
function rulesOf({ list, member, field, value }: ContactsFilter, fields: Fields): SegmentRule[] {
  return [
    ...(list === '' || member === 'any' ? [] : [memberOf(list, member === '' ? undefined : member)]),
    ...(field === '' ? [] : [fieldRule(Number(field), value, fields)]),
  ]
}

/** Whether the filter is on all members of a list, whatever their state. */
export const isEveryMember = ({ list, member }: Pick<ContactsFilter, 'list' | 'member'>): boolean =>
  list !== '' && member === 'any'

function fieldRule(field: number, value: string, fields: Fields): SegmentRule {
  const type = fields.find(({ no }) => no === field)?.type ?? 'text'
  if (type === 'boolean') return { field, op: value === 'true' ? 'is_true' : 'is_false' }
  if (type === 'number') return { field, op: 'eq', value: Number(value) }
  if (type === 'date') return { field, op: 'between', value: [value, value] }
  return { field, op: 'is', value }
}

/** The filter as the calls take it. */
export function queryOf(filter: ContactsFilter, fields: Fields): ContactFilter {
  const { search, status, segment } = filter
  const rules = rulesOf(filter, fields)
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(status !== '' && { status }),
    ...(rules.length > 0 && { rule: JSON.stringify(rules.length === 1 ? rules[0] : { all: rules }) }),
    ...(segment !== '' && { segment_id: segment }),
    ...(isEveryMember(filter) && { list_id: filter.list }),
  }
}

/** A rule that matches the people whom the filter shows. */
export function ruleOf(filter: ContactsFilter, fields: Fields): SegmentRule {
  const { search, status, segment } = filter
  return {
    all: [
      ...(status === '' ? [] : [{ field: 'status' as const, op: 'is' as const, value: status }]),
      ...(isEveryMember(filter) ? [{ any: memberStates.map((state) => memberOf(filter.list, state)) }] : []),
      ...rulesOf(filter, fields),
      ...(segment === '' ? [] : [{ segment, op: 'member_of' as const }]),
      ...(search.trim() === '' ? [] : [searchRule(search.trim(), fields)]),
    ],
  }
}

function searchRule(search: string, fields: Fields): SegmentRule {
  if (search.startsWith('@')) return { field: 'email', op: 'contains', value: search }
  const email: SegmentRule = { field: 'email', op: 'starts_with', value: search }
  if (search.includes('@')) return email
  const names = nameNos
    .filter((field) => fields.some(({ no }) => no === field))
    .map((field): SegmentRule => ({ field, op: 'starts_with', value: search }))
  return { any: [email, ...names] }
}
