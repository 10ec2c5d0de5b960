import type { ContactField } from '../../../contract/audience/contact-field.ts'
import type { ContactFilter, ContactSort, ContactStatus } from '../../../contract/audience/contact.ts'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'

/** What narrows and orders the contacts of the screen; '' for any. */
export interface ContactsFilter {
  search: string
  status: ContactStatus | ''
  /** Id of a list: its subscribed members. */
  list: string
  segment: string
  sort: ContactSort | ''
}

/** Fields that the search reads: numbers of those that every workspace begins with. */
const nameNos = [1, 2]

export const isFiltered = ({ search, status, list, segment }: ContactsFilter): boolean =>
  search.trim() !== '' || status !== '' || list !== '' || segment !== ''

const memberOf = (list: string): SegmentRule => ({ list, op: 'member_of' })

/** The filter as the calls take it. */
export function queryOf({ search, status, list, segment }: ContactsFilter): ContactFilter {
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(status !== '' && { status }),
    // By a rule, which leaves out people who left the list.
    ...(list !== '' && { rule: JSON.stringify(memberOf(list)) }),
    ...(segment !== '' && { segment_id: segment }),
  }
}

/** A rule that matches the people whom the filter shows. */
export function ruleOf(
  { search, status, list, segment }: ContactsFilter,
  fields: readonly Pick<ContactField, 'no'>[],
): SegmentRule {
  return {
    all: [
      ...(status === '' ? [] : [{ field: 'status' as const, op: 'is' as const, value: status }]),
      ...(list === '' ? [] : [memberOf(list)]),
      ...(segment === '' ? [] : [{ segment, op: 'member_of' as const }]),
      ...(search.trim() === '' ? [] : [searchRule(search.trim(), fields)]),
    ],
  }
}

function searchRule(search: string, fields: readonly Pick<ContactField, 'no'>[]): SegmentRule {
  if (search.startsWith('@')) return { field: 'email', op: 'contains', value: search }
  const email: SegmentRule = { field: 'email', op: 'starts_with', value: search }
  if (search.includes('@')) return email
  const names = nameNos
    .filter((field) => fields.some(({ no }) => no === field))
    .map((field): SegmentRule => ({ field, op: 'starts_with', value: search }))
  return { any: [email, ...names] }
}
