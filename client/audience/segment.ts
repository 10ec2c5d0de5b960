import type {
  createSegment as CreateSegment,
  deleteSegment as DeleteSegment,
  getSegment as GetSegment,
  listContactSegments as ListContactSegments,
  listSegments as ListSegments,
  NewSegment,
  previewSegment as PreviewSegment,
  Segment,
  SegmentChanges,
  SegmentPreview,
  updateSegment as UpdateSegment,
} from '../../contract/audience/segment.ts'
import type { SegmentRule } from '../../contract/audience/segment-rule.ts'
import * as routes from '../../contract/audience/segment.routes.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import type { AnswerOf } from '../../contract/core/operation.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Segments, by name. */
export function listSegments(session: Session, options?: CallOptions): Promise<Segment[]> {
  return call<typeof ListSegments>(session, { route: routes.listSegments }, options)
}

export function createSegment(session: Session, body: NewSegment, options?: CallOptions): Promise<Segment> {
  return call<typeof CreateSegment>(session, { route: routes.createSegment, body }, options)
}

/** People whom a rule matches: an estimate where there are many contacts, then the exact number with examples. */
export function previewSegment(
  session: Session,
  body: { rule: SegmentRule; segment_id?: string },
  options?: CallOptions,
): AsyncGenerator<SegmentPreview> {
  return readEvents<SegmentPreview>(
    callStream<typeof PreviewSegment>(session, { route: routes.previewSegment, body }, options),
  )
}

export function getSegment(session: Session, id: string, options?: CallOptions): Promise<Segment> {
  return call<typeof GetSegment>(session, { route: routes.getSegment, params: { id } }, options)
}

/** Changes what is given. */
export function updateSegment(
  session: Session,
  id: string,
  body: SegmentChanges,
  options?: CallOptions,
): Promise<Segment> {
  return call<typeof UpdateSegment>(session, { route: routes.updateSegment, params: { id }, body }, options)
}

export function deleteSegment(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof DeleteSegment>(session, { route: routes.deleteSegment, params: { id } }, options)
}

/** The segments that a contact is in at present, by name. */
export function listContactSegments(
  session: Session,
  contactId: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof ListContactSegments>> {
  return call<typeof ListContactSegments>(
    session,
    { route: routes.listContactSegments, params: { id: contactId } },
    options,
  )
}
