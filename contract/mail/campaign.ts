import { Type, type Static } from 'typebox'
import { Audience, AudienceInput } from '../audience/campaign-audience.ts'
import { campaignNameMaxChars, configsOfCampaignMaxCount } from './campaign.limits.ts'
import { recipientsMaxCount, subjectMaxChars } from './message.limits.ts'
import { Context, deliveryStates } from './message.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import * as routes from './campaign.routes.ts'

/** States of a campaign. Only mail of a `sending` campaign leaves; `preparing`: its audience is copied into the queue. */
export const campaignStatuses = [
  'draft',
  'scheduled',
  'preparing',
  'sending',
  'paused',
  'finished',
  'cancelled',
  'failed',
] as const

export const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const Counts = Type.Object(
  Object.fromEntries(['total', ...deliveryStates].map((name) => [name, Type.Integer()])) as Record<
    'total' | (typeof deliveryStates)[number],
    ReturnType<typeof Type.Integer>
  >,
)

export const Campaign = Type.Object({
  id: Type.String(),
  name: Type.String(),
  subject: Type.String(),
  body: Type.String({ description: 'HTML' }),
  context: Context,
  config_id: Type.String({ description: 'The first of config_ids' }),
  config_ids: Type.Array(Type.String(), {
    description: 'The mailboxes that share it; each recipient keeps its sender',
  }),
  ...Audience,
  template_id: Type.Union([Type.String(), Type.Null()]),
  status: Type.Enum([...campaignStatuses]),
  staged: Type.Boolean({
    description: 'A composer prepares it: launching confirms it; unconfirmed, it goes after a day',
  }),
  status_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
  scheduled_at: instant('When it is to start; ISO 8601, UTC'),
  timezone: Type.Union([Type.String(), Type.Null()], { description: 'In which scheduled_at was given' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  started_at: instant('When its first mail could leave'),
  finished_at: instant('When its last recipient was settled, or it was cancelled'),
  finishes_at: instant(
    'When the last mail will leave by the mailboxes’ quotas; null once it ended and without recipients',
  ),
  counts: Counts,
  unfilled_variables: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        recipients: Type.Integer({ description: 'Recipients that bring no value of their own' }),
      }),
      {
        description:
          'Merge variables that neither `context` nor a default fills, the first 20 of them: they come out empty for so many recipients. In the answers about one campaign, until it has ended',
      },
    ),
  ),
})
/** A mail to many, with how far it is. */
export type Campaign = Static<typeof Campaign>

const name = Type.String({ maxLength: campaignNameMaxChars })
const subject = Type.String({ minLength: 1, maxLength: subjectMaxChars })
const body = Type.String({ minLength: 1, description: 'HTML' })
const mailboxIds = Type.Array(Type.String(), { minItems: 1, maxItems: configsOfCampaignMaxCount })
export const scheduledAt = Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
  description: 'ISO 8601; without an offset it is a time of day in `timezone`',
  examples: ['2027-03-01T09:00'],
})
export const timezone = Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
  description: 'IANA name; UTC where it is absent',
  examples: ['Europe/Berlin'],
})

const Recipient = Type.Union([
  Type.String(),
  Type.Object({ email: Type.String(), context: Type.Optional(Context) }, { additionalProperties: false }),
])

const segmentShortForm = Type.Optional(
  Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
    description: 'Short form of one entry in `segment_ids`',
  }),
)

const NewCampaign = Type.Object({
  name: Type.Optional(name),
  subject: Type.Optional(subject),
  body: Type.Optional(body),
  context: Type.Optional(Context),
  config_id: Type.Optional(Type.String()),
  config_ids: Type.Optional(mailboxIds),
  template_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  scheduled_at: Type.Optional(scheduledAt),
  timezone: Type.Optional(timezone),
  recipients: Type.Optional(
    Type.Array(Recipient, {
      maxItems: recipientsMaxCount,
      description: 'Addresses, or {email, context}; more of them by POST /email/campaign/{id}/recipients',
    }),
  ),
  staged: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For a composer that prepares a launch: lists and statistics leave the campaign out until it is launched, and it is deleted a day after it was made',
    }),
  ),
  ...AudienceInput,
  segment: segmentShortForm,
})
/** Payload of a new campaign. Subject and body may come from a template; one of config_id and config_ids is needed. */
export type NewCampaign = Static<typeof NewCampaign>

const CampaignChanges = Type.Object({
  name: Type.Optional(name),
  subject: Type.Optional(subject),
  body: Type.Optional(body),
  context: Type.Optional(Context),
  config_id: Type.Optional(Type.String()),
  config_ids: Type.Optional(mailboxIds),
  scheduled_at: Type.Optional(scheduledAt),
  timezone: Type.Optional(timezone),
  ...AudienceInput,
  segment: segmentShortForm,
})
/** What of a campaign can be changed before it starts; afterwards its name only. */
export type CampaignChanges = Static<typeof CampaignChanges>

export const byCampaignId = Type.Object({ id: Type.String() })
export const campaignAnswer = (description: string) => ({ 200: { description, body: Campaign } }) as const

export const listEmailCampaigns = defineOperation({
  name: 'listEmailCampaigns',
  summary: 'The campaigns of the workspace, newest first; staged ones are left out',
  ...routeOf(routes.listEmailCampaigns),
  access: 'member',
  permission: 'campaigns:read',
  query: Type.Object({
    ...CursorPaging,
    status: Type.Optional(Type.Enum([...campaignStatuses], { description: 'Only those in this state' })),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only those in whose name or subject this text occurs' }),
    ),
    with_body: Type.Optional(
      Type.Boolean({ default: true, description: 'false: their bodies come as empty texts, for a list that is short' }),
    ),
  }),
  answers: pageAnswer('The campaigns.', Campaign),
})

export const createEmailCampaign = defineOperation({
  name: 'createEmailCampaign',
  summary: 'Write a campaign; nothing of it leaves before it is launched',
  ...routeOf(routes.createEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  body: NewCampaign,
  answers: { 201: { description: 'Saved as a draft.', body: Campaign } },
  isRepeatable: true,
  errors: ['config_not_found', 'list_not_found', 'mail_too_large', 'segment_not_found', 'template_not_found'],
})

export const getEmailCampaign = defineOperation({
  name: 'getEmailCampaign',
  summary: 'One campaign and how far it is',
  ...routeOf(routes.getEmailCampaign),
  access: 'member',
  permission: 'campaigns:read',
  params: byCampaignId,
  answers: campaignAnswer('The campaign.'),
  errors: ['campaign_not_found'],
})

export const updateEmailCampaign = defineOperation({
  name: 'updateEmailCampaign',
  summary: 'Change a campaign that has not started; of a started one its name only',
  ...routeOf(routes.updateEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byCampaignId,
  body: CampaignChanges,
  answers: campaignAnswer('Changed.'),
  errors: [
    'campaign_not_found',
    'campaign_state',
    'campaign_has_recipients',
    'config_not_found',
    'list_not_found',
    'mail_too_large',
    'segment_not_found',
  ],
})

export const deleteEmailCampaign = defineOperation({
  name: 'deleteEmailCampaign',
  summary: 'Delete a campaign in any state; what has not left is cancelled',
  ...routeOf(routes.deleteEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byCampaignId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['campaign_not_found'],
})
