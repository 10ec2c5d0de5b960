import * as contract from '../../../contract/audience/segment.ts'
import type { ContactRow } from '../../domain/contacts/contact.ts'
import type { ListContactSegments } from '../../usecases/segments/contact-segments.ts'
import type { createSegmentService, RulePreview, SegmentWithUse } from '../../usecases/segments/segment-service.ts'
import { eventStream } from '../core/event-stream.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/segments`. */
export function addSegmentRoutes(add: AddRoute, segments: ReturnType<typeof createSegmentService>): void {
  add(contract.listSegments, async ({ scope }) => (await segments.listSegments(scope)).map(toSegment))
  add(contract.createSegment, async ({ body, scope }) => toSegment(await segments.createSegment(scope, body)))
  add(contract.previewSegment, async ({ body, scope, reply }) =>
    eventStream(reply, 'preview', await segments.preview(scope, body.rule, body.segment_id ?? null), toPreview),
  )
  add(contract.getSegment, async ({ params, scope }) => toSegment(await segments.getSegment(scope, params.id)))
  add(contract.updateSegment, async ({ params, body, scope }) =>
    toSegment(await segments.updateSegment(scope, params.id, body)),
  )
  add(contract.deleteSegment, async ({ params, scope }) => {
    await segments.deleteSegment(scope, params.id)
    return null
  })
}

/** `/email/contacts/{id}/segments`. */
export function addContactSegmentRoutes(add: AddRoute, listContactSegments: ListContactSegments): void {
  add(contract.listContactSegments, async ({ params, scope }) =>
    (await listContactSegments(scope, params.id)).map(({ id, name }) => ({ id: String(id), name })),
  )
}

const toSegment = (row: SegmentWithUse): contract.Segment => ({
  id: String(row.id),
  name: row.name,
  rule: row.rule,
  is_live: row.isLive,
  member_count: row.memberCount,
  evaluated_at: row.evaluatedAt?.toISOString() ?? null,
  cost_ms: row.costMs,
  used_by: row.usedBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

const toPreview = ({ count, isEstimate, tookMs, contacts, steps }: RulePreview): contract.SegmentPreview => ({
  count,
  is_estimate: isEstimate,
  took_ms: tookMs,
  contacts: contacts.map((contact) => ({ id: String(contact.id), email: contact.email, name: nameOf(contact) })),
  steps,
})

/** First and last name: fields 1 and 2 of every workspace. */
const nameOf = ({ fields }: ContactRow): string => [fields[1], fields[2]].filter(Boolean).join(' ')
