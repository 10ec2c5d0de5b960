import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { liveSegmentsMaxCount, segmentNameMaxChars, segmentsMaxCount } from './segment.limits.ts'
import type { SegmentRule } from './segment-rule.ts'
import * as routes from './segment.routes.ts'

const rule = Type.Unsafe<SegmentRule>({
  type: 'object',
  additionalProperties: true,
  description: 'A tree of all, any and not over conditions on fields, lists, segments and behaviour',
})
const instant = Type.String({ description: 'ISO 8601, UTC' })

const Segment = Type.Object({
  id: Type.String(),
  name: Type.String(),
  rule,
  is_live: Type.Boolean({ description: 'Its members follow every change of a contact within seconds' }),
  member_count: Type.Union([Type.Integer(), Type.Null()], {
    description: 'At the last evaluation; of a live segment always the present number',
  }),
  evaluated_at: Type.Union([instant, Type.Null()]),
  cost_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'Duration of the last evaluation' }),
  used_by: Type.Array(
    Type.Object({ kind: Type.Enum(['segment', 'campaign']), id: Type.String(), name: Type.String() }),
  ),
  created_at: instant,
  updated_at: instant,
})
/** A saved rule over contacts. */
export type Segment = Static<typeof Segment>

const name = Type.String({ minLength: 1, maxLength: segmentNameMaxChars })

const isLive = Type.Optional(
  Type.Boolean({ description: `Keep its members up to date; at most ${liveSegmentsMaxCount} segments` }),
)

const NewSegment = Type.Object({ name, rule, is_live: isLive })
export type NewSegment = Static<typeof NewSegment>

const SegmentChanges = Type.Object({
  name: Type.Optional(name),
  rule: Type.Optional(rule),
  is_live: isLive,
})
export type SegmentChanges = Static<typeof SegmentChanges>

const SegmentPreview = Type.Object({
  count: Type.Integer(),
  is_estimate: Type.Boolean(),
  took_ms: Type.Integer(),
  contacts: Type.Array(Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }), {
    description: 'Ten that match; empty with an estimate',
  }),
  steps: Type.Array(Type.Integer(), {
    description: 'People left after each row, in the order of the rows; empty with an estimate and beyond 12 rows',
  }),
})
export type SegmentPreview = Static<typeof SegmentPreview>

const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })

export const listSegments = defineOperation({
  name: 'listSegments',
  summary: `Segments, by name; at most ${segmentsMaxCount}`,
  ...routeOf(routes.listSegments),
  access: 'member',
  permission: 'contacts:read',
  answers: { 200: { description: 'The segments.', body: Type.Array(Segment) } },
  errors: [],
})

export const createSegment = defineOperation({
  name: 'createSegment',
  summary: 'Save a rule as a segment',
  ...routeOf(routes.createSegment),
  access: 'member',
  permission: 'segments:write',
  body: NewSegment,
  answers: { 201: { description: 'The segment.', body: Segment } },
  errors: ['segment_rule_invalid', 'segment_exists', 'segment_limit_reached', 'segment_live_limit_reached'],
})

export const previewSegment = defineOperation({
  name: 'previewSegment',
  summary: 'People whom a rule matches, as server-sent events named `preview`: an estimate, then the exact number',
  ...routeOf(routes.previewSegment),
  access: 'member',
  permission: 'contacts:read',
  body: Type.Object({ rule, segment_id: Type.Optional(Type.String({ description: 'Whose rule it is to be' })) }),
  answers: { 200: { description: 'One or two events.', media: 'text/event-stream', body: SegmentPreview } },
  errors: ['segment_rule_invalid', 'segment_cycle'],
})

export const getSegment = defineOperation({
  name: 'getSegment',
  summary: 'A segment',
  ...routeOf(routes.getSegment),
  access: 'member',
  permission: 'contacts:read',
  params: byId,
  answers: { 200: { description: 'The segment.', body: Segment } },
  errors: ['segment_not_found'],
})

export const updateSegment = defineOperation({
  name: 'updateSegment',
  summary: 'Change name or rule of a segment, or whether it is kept up to date',
  ...routeOf(routes.updateSegment),
  access: 'member',
  permission: 'segments:write',
  params: byId,
  body: SegmentChanges,
  answers: { 200: { description: 'The segment.', body: Segment } },
  errors: [
    'segment_not_found',
    'segment_rule_invalid',
    'segment_cycle',
    'segment_exists',
    'segment_live_limit_reached',
  ],
})

export const deleteSegment = defineOperation({
  name: 'deleteSegment',
  summary: 'Delete a segment',
  ...routeOf(routes.deleteSegment),
  access: 'member',
  permission: 'segments:write',
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['segment_not_found', 'segment_in_use'],
})

export const listContactSegments = defineOperation({
  name: 'listContactSegments',
  summary: 'The segments that a contact is in at present, by name',
  ...routeOf(routes.listContactSegments),
  access: 'member',
  permission: 'contacts:read',
  params: byId,
  answers: {
    200: { description: 'The segments.', body: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })) },
  },
  errors: ['contact_not_found'],
})
