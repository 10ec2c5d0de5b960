import type { ContactField } from '../../contract/audience/contact-field.ts'
import type { List } from '../../contract/audience/list.ts'
import type { Segment, SegmentPreview } from '../../contract/audience/segment.ts'
import type { ApiServer, Reply } from './api-server.ts'
import { signedInResponses } from './sample-answers.ts'

const at = '2025-08-14T09:30:00.000Z'

export function sampleList(over: Partial<List> = {}): List {
  return {
    id: '1',
    name: 'Newsletter',
    description: 'Once a month.',
    is_public: false,
    member_count: 1204,
    pending_count: 3,
    unsubscribed_count: 12,
    growth_30_days: 87,
    created_at: at,
    ...over,
  }
}

export function sampleSegment(over: Partial<Segment> = {}): Segment {
  return {
    id: '1',
    name: 'Readers in Berlin',
    rule: {
      all: [
        { list: '1', op: 'member_of' },
        { field: 3, op: 'is', value: 'Berlin' },
      ],
    },
    is_live: false,
    member_count: 431,
    evaluated_at: at,
    cost_ms: 12,
    used_by: [],
    created_at: at,
    updated_at: at,
    ...over,
  }
}

const field = (no: number, label: string, type: ContactField['type'], choices: string[] = []): ContactField => ({
  no,
  key: label.toLowerCase().replaceAll(' ', '_'),
  label,
  type,
  choices,
  created_at: at,
})

/** One custom field of each type. */
export const sampleFields: ContactField[] = [
  field(1, 'First name', 'text'),
  field(2, 'Last name', 'text'),
  field(3, 'City', 'text'),
  field(4, 'Visits', 'number'),
  field(5, 'Birthday', 'date'),
  field(6, 'Customer', 'boolean'),
  field(7, 'Plan', 'choice', ['Free', 'Team']),
]

/** The response of a preview: one event for each of these. */
export function previewEvents(...previews: Partial<SegmentPreview>[]): Reply {
  const text = previews
    .map((preview) => ({ count: 0, is_estimate: false, took_ms: 8, contacts: [], steps: [], ...preview }))
    .map((preview) => `event: preview\ndata: ${JSON.stringify(preview)}\n\n`)
    .join('')
  return { text, headers: { 'Content-Type': 'text/event-stream' } }
}

/** Responses of a stand-in that keeps lists and segments as they are changed. Set them again before each test. */
export function answerAudience(
  site: ApiServer,
  { lists = [sampleList()], segments = [sampleSegment()] }: { lists?: List[]; segments?: Segment[] } = {},
): void {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  let [keptLists, keptSegments] = [[...lists], [...segments]]
  site.on('listContactFields', { json: sampleFields })
  site.on('listFieldValues', { json: [] })
  site.on('listLists', () => ({ json: keptLists }))
  site.on('createList', ({ body }) => {
    const made = sampleList({ id: '90', member_count: 0, growth_30_days: 0, ...(body as Partial<List>) })
    keptLists.push(made)
    return { status: 201, json: made }
  })
  site.on('updateList', ({ params, body }) => {
    keptLists = keptLists.map((list) => (list.id === params['id'] ? { ...list, ...(body as Partial<List>) } : list))
    return { json: keptLists.find(({ id }) => id === params['id']) }
  })
  site.on('deleteList', ({ params }) => {
    keptLists = keptLists.filter(({ id }) => id !== params['id'])
    return { status: 204 }
  })
  site.on('listSegments', () => ({ json: keptSegments }))
  site.on('getSegment', ({ params }) => {
    const found = keptSegments.find(({ id }) => id === params['id'])
    return found === undefined ? { status: 404, json: { detail: 'No segment has this id.' } } : { json: found }
  })
  site.on('createSegment', ({ body }) => {
    const made = sampleSegment({ id: String(90 + keptSegments.length), ...(body as Partial<Segment>) })
    keptSegments.push(made)
    return { status: 201, json: made }
  })
  site.on('updateSegment', ({ params, body }) => {
    keptSegments = keptSegments.map((segment) =>
      segment.id === params['id'] ? { ...segment, ...(body as Partial<Segment>) } : segment,
    )
    return { json: keptSegments.find(({ id }) => id === params['id']) }
  })
  site.on('deleteSegment', ({ params }) => {
    keptSegments = keptSegments.filter(({ id }) => id !== params['id'])
    return { status: 204 }
  })
  site.on('previewSegment', previewEvents({ count: 431, steps: [1204, 431] }))
}
