import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'

/** A segment to start from. */
export interface ExampleSegment {
  /** In the page's address. */
  key: string
  name: string
  about: string
  rule: SegmentRule
}

/** What the screen offers as long as there are no segments. */
export const exampleSegments: readonly ExampleSegment[] = [
  {
    key: 'new-contacts',
    name: 'New contacts',
    about: 'Added within the last 30 days.',
    rule: {
      all: [
        { field: 'created_at', op: 'within_days', value: 30 },
        { field: 'status', op: 'is', value: 'active' },
      ],
    },
  },
  {
    key: 'not-sent-recently',
    name: 'Not sent anything in 30 days',
    about: 'Active contacts who got no mail from you for a month.',
    rule: {
      all: [{ field: 'status', op: 'is', value: 'active' }, { not: { behaviour: 'was_sent', within_days: 30 } }],
    },
  },
  {
    key: 'by-address',
    name: 'Addresses of two providers',
    about: 'Whose address ends with one of two domains. Change them to yours.',
    rule: {
      any: [
        { field: 'email', op: 'contains', value: '@gmail.com' },
        { field: 'email', op: 'contains', value: '@outlook.com' },
      ],
    },
  },
]
