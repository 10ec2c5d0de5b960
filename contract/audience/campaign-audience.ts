import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from '../mail/campaign.routes.ts'
import {
  audienceBodyMaxBytes,
  audiencePeopleMaxCount,
  audienceRecipientsMaxCount,
  audienceRefsMaxCount,
} from './campaign-audience.limits.ts'

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: audienceRefsMaxCount, description }))

/** Parts of a campaign's audience, in a request. */
export const AudienceInput = {
  list_ids: ids('Lists whose subscribed members get it'),
  segment_ids: ids('Segments whose contacts get it; evaluated at the launch'),
  exclude_list_ids: ids('Lists whose members do not get it, whatever their state'),
  exclude_segment_ids: ids('Segments whose contacts do not get it'),
}

/** Parts of a campaign's audience, in an answer. */
export const Audience = {
  list_ids: Type.Array(Type.String()),
  segment_ids: Type.Array(Type.String()),
  exclude_list_ids: Type.Array(Type.String()),
  exclude_segment_ids: Type.Array(Type.String()),
}

/** Reasons why a person of an audience gets no mail, in the order in which they are checked. */
export const leftOutReasons = [
  'excluded',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'erased',
  'paused',
  'frequency',
  'too_large',
  'duplicate',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

const AudienceCount = Type.Object({
  status: Type.Enum(['estimate', 'exact'], { description: 'An estimate is read from a hundredth of the contacts' }),
  count: Type.Integer({ description: 'Distinct people who get the mail' }),
  sources: Type.Array(
    Type.Object({
      kind: Type.Enum(['list', 'segment', 'recipients']),
      id: Type.Union([Type.String(), Type.Null()], { description: 'Of the list or segment; null for recipients' }),
      count: Type.Integer({ description: 'Distinct people of the source, those who are left out included' }),
    }),
  ),
  overlaps: Type.Integer({ description: 'How often a person of one source is in an earlier one too' }),
  left_out: Type.Array(Type.Object({ reason: Type.Enum([...leftOutReasons]), count: Type.Integer() }), {
    description: 'People who get no mail, by reason; reasons without anyone are absent',
  }),
})
/** How many people an audience has. */
export type AudienceCount = Static<typeof AudienceCount>

const AudiencePerson = Type.Object({
  contact_id: Type.String(),
  email: Type.String(),
  context: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: 'Values of the contact’s fields by field key',
  }),
})
/** A contact of an audience, with what fills merge variables. */
export type AudiencePerson = Static<typeof AudiencePerson>

const recipients = Type.Optional(
  Type.Array(Type.String({ maxLength: 320 }), {
    maxItems: audienceRecipientsMaxCount,
    description: 'Further addresses; those that are no address are ignored',
  }),
)
const events = (description: string) => ({ 200: { description, media: 'text/event-stream', body: AudienceCount } })
const byId = Type.Object({ id: Type.String() })

export const countAudience = defineOperation({
  name: 'countAudience',
  summary: 'People of an audience, as server-sent events named `audience`: an estimate, then the exact number',
  ...routeOf(routes.countAudience),
  access: 'member',
  permission: 'campaigns:write',
  body: Type.Object({ ...AudienceInput, recipients }),
  bodyMaxBytes: audienceBodyMaxBytes,
  answers: events('One or two events.'),
  errors: ['list_not_found', 'segment_not_found'],
})

export const listAudiencePeople = defineOperation({
  name: 'listAudiencePeople',
  summary: 'Contacts of an audience who get the mail, oldest contact first',
  ...routeOf(routes.listAudiencePeople),
  access: 'member',
  permission: 'campaigns:write',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: audiencePeopleMaxCount, default: 1 })),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: 'X-Next-Cursor of the previous page' })),
  }),
  body: Type.Object({
    ...AudienceInput,
    query: Type.Optional(Type.String({ maxLength: 254, description: 'Beginning of the address' })),
  }),
  answers: {
    200: {
      description: 'The contacts.',
      body: Type.Array(AudiencePerson),
      headers: { 'X-Next-Cursor': 'Cursor of the next page; absent on the last one' },
    },
  },
  errors: ['list_not_found', 'segment_not_found'],
})

export const watchCampaignAudience = defineOperation({
  name: 'watchCampaignAudience',
  summary:
    'People of a campaign’s audience and those left out by reason, as server-sent events named `audience`: an estimate, then the exact number; after the launch what became of them',
  ...routeOf(routes.watchCampaignAudience),
  access: 'member',
  permission: 'campaigns:read',
  caller: 'program',
  params: byId,
  answers: events('One or two events.'),
  errors: ['campaign_not_found'],
})
