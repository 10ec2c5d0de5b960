import { Type, type Static } from 'typebox'
import { Audience, AudienceInput } from '../audience/campaign-audience.ts'
import { campaignNameMaxChars, configsOfCampaignMaxCount } from './campaign.limits.ts'
import { recipientsMaxCount, subjectMaxChars } from './message.limits.ts'
import { Context, deliveryStates } from './message.ts'
import { AttachmentInfo, attachments } from '../files/attachment.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import { CampaignTracking, Utm } from '../results/tracking.ts'
import { scheduledAt, timezone, Writing, WritingInput } from './send/send-fields.ts'
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

/** What a list of campaigns is sorted by: their age, or people of a figure. */
export const campaignSorts = ['created', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'unsubscribed'] as const
export type CampaignSort = (typeof campaignSorts)[number]

export const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const Counts = Type.Object(
  Object.fromEntries(['total', ...deliveryStates].map((name) => [name, Type.Integer()])) as Record<
    'total' | (typeof deliveryStates)[number],
    ReturnType<typeof Type.Integer>
  >,
)

const CampaignStats = Type.Object(
  {
    tracking: Type.Enum(['off', 'counts', 'identified'], { description: 'off: opens and clicks are not measured' }),
    sent: Type.Integer(),
    opened: Type.Integer({ description: 'Recipients of whom a person opened it' }),
    clicked: Type.Integer({ description: 'Recipients of whom a person clicked a link' }),
    replied: Type.Integer(),
    bounced: Type.Integer(),
    unsubscribed: Type.Integer(),
    machine_opens: Type.Integer({ description: 'Recipients for whom only machines opened it' }),
  },
  { description: 'In lists' },
)

export const Campaign = Type.Object({
  id: Type.String(),
  name: Type.String(),
  subject: Type.String(),
  body: Type.String({ description: 'HTML' }),
  context: Context,
  ...Writing,
  design: Type.Optional(
    Type.Unknown({ description: 'The design document; null in mode html. Lists leave a document out' }),
  ),
  revision: Type.Integer({ description: 'Grows with each change' }),
  config_id: Type.String({ description: 'The first of config_ids' }),
  config_ids: Type.Array(Type.String(), {
    description: 'The mailboxes that share it; each recipient keeps its sender',
  }),
  ...Audience,
  template_id: Type.Union([Type.String(), Type.Null()]),
  tracking: CampaignTracking,
  utm: Utm,
  frequency_exempt: Type.Boolean({ description: 'Whether people who want one campaign a week get it in any week' }),
  status: Type.Enum([...campaignStatuses]),
  staged: Type.Boolean({
    description: 'A composer prepares it: launching confirms it; unconfirmed, it goes after a day',
  }),
  status_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
  scheduled_at: instant('When it is to start; ISO 8601, UTC'),
  undo_until: instant('Until when its launch can be undone; null: not'),
  timezone: Type.Union([Type.String(), Type.Null()], { description: 'In which scheduled_at was given' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  started_at: instant('When its first mail could leave'),
  finished_at: instant('When its last recipient was settled, or it was cancelled'),
  finishes_at: instant(
    'When the last mail will leave by the mailboxes’ quotas; null once it ended and without recipients',
  ),
  counts: Counts,
  attachments: Type.Optional(
    Type.Array(AttachmentInfo, { description: 'Its files. In the answers about one campaign' }),
  ),
  stats: Type.Optional(CampaignStats),
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
  ...WritingInput,
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
  tracking: Type.Optional(CampaignTracking),
  utm: Type.Optional(Utm),
  attachments,
  frequency_exempt: Type.Optional(
    Type.Boolean({ description: 'For law and safety: sent to people who want one campaign a week, in any week' }),
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
  ...WritingInput,
  config_id: Type.Optional(Type.String()),
  config_ids: Type.Optional(mailboxIds),
  scheduled_at: Type.Optional(scheduledAt),
  timezone: Type.Optional(timezone),
  tracking: Type.Optional(CampaignTracking),
  utm: Type.Optional(Utm),
  attachments,
  frequency_exempt: Type.Optional(
    Type.Boolean({ description: 'For law and safety: sent to people who want one campaign a week, in any week' }),
  ),
  ...AudienceInput,
  segment: segmentShortForm,
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 53 - 2,
      description: 'The revision that the change is based on; another one answers revision_conflict',
    }),
  ),
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
    sort: Type.Optional(
      Type.Enum([...campaignSorts], {
        default: 'created',
        description: 'A figure sorts by people, the most first; its pages have an offset and no cursor',
      }),
    ),
    order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc', description: 'Of a sort by a figure' })),
    with_body: Type.Optional(
      Type.Boolean({ default: true, description: 'false: their bodies come as empty texts, for a list that is short' }),
    ),
  }),
  answers: pageAnswer('The campaigns.', Campaign),
})

export const createEmailCampaign = defineOperation({
  name: 'createEmailCampaign',
  summary: 'Create a campaign; no mail leaves before its launch',
  ...routeOf(routes.createEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  body: NewCampaign,
  answers: { 201: { description: 'Saved as a draft.', body: Campaign } },
  isRepeatable: true,
  errors: [
    'attachment_refused',
    'config_not_found',
    'design_and_body',
    'design_invalid',
    'list_not_found',
    'mail_too_large',
    'segment_not_found',
    'storage_full',
    'template_not_found',
  ],
})

export const getEmailCampaign = defineOperation({
  name: 'getEmailCampaign',
  summary: 'One campaign with its progress',
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
    'attachment_refused',
    'campaign_not_found',
    'campaign_state',
    'campaign_has_recipients',
    'storage_full',
    'config_not_found',
    'design_and_body',
    'design_invalid',
    'list_not_found',
    'mail_too_large',
    'revision_conflict',
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
