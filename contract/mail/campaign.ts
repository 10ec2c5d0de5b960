import { Type, type Static } from 'typebox'
import { campaignNameMaxChars, campaignTestRecipientsMaxCount, configsOfCampaignMaxCount } from './campaign.limits.ts'
import { recipientsMaxCount, subjectMaxChars } from './message.limits.ts'
import { Context, Delivery, deliveryStates } from './message.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, nextCursorHeaders, Paging, totalCountHeader } from '../core/paging.ts'
import * as routes from './campaign.routes.ts'

/** States of a campaign. Only mail of a `sending` campaign leaves. */
export const campaignStatuses = ['draft', 'scheduled', 'sending', 'paused', 'finished', 'cancelled', 'failed'] as const

const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Counts = Type.Object(
  Object.fromEntries(['total', ...deliveryStates].map((name) => [name, Type.Integer()])) as Record<
    'total' | (typeof deliveryStates)[number],
    ReturnType<typeof Type.Integer>
  >,
)

const Campaign = Type.Object({
  id: Type.String(),
  name: Type.String(),
  subject: Type.String(),
  body: Type.String({ description: 'HTML' }),
  context: Context,
  config_id: Type.String({ description: 'The first of config_ids' }),
  config_ids: Type.Array(Type.String(), {
    description: 'The mailboxes that share it; each recipient keeps its sender',
  }),
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
const scheduledAt = Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
  description: 'ISO 8601; without an offset it is a time of day in `timezone`',
  examples: ['2027-03-01T09:00'],
})
const timezone = Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
  description: 'IANA name; UTC where it is absent',
  examples: ['Europe/Berlin'],
})

const Recipient = Type.Union([
  Type.String(),
  Type.Object({ email: Type.String(), context: Type.Optional(Context) }, { additionalProperties: false }),
])

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
  segment: Type.Optional(
    Type.Unknown({ description: 'Refused: a workspace keeps no contacts to choose from; give recipients' }),
  ),
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
})
/** What of a campaign can be changed before it starts; afterwards its name only. */
export type CampaignChanges = Static<typeof CampaignChanges>

const Schedule = Type.Object({ scheduled_at: Type.Optional(scheduledAt), timezone: Type.Optional(timezone) })
/** When to start; null: now. */
export type Schedule = Static<typeof Schedule>

const AddedRecipients = Type.Object({
  added: Type.Integer({ description: 'Recipients with a row of their own, on disk' }),
  suppressed: Type.Integer({ description: 'Of these, those that must not be written to' }),
  duplicates: Type.Integer({ description: 'Lines whose address the campaign had already' }),
  refused: Type.Integer({ description: 'Lines that are not one recipient' }),
  refusals: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), {
    description: 'The first of the refused lines; they count from 1',
  }),
})
/** What became of a stream of recipients. */
export type AddedRecipients = Static<typeof AddedRecipients>

const Progress = Type.Object({
  status: Type.Enum([...campaignStatuses]),
  counts: Counts,
  finishes_at: instant('When the last mail will leave'),
})
const RetriedCampaign = Type.Object({
  ...Campaign.properties,
  message: Type.String({ description: 'What came of it, as a sentence' }),
  resent: Type.Integer({ description: 'Recipients in the queue again' }),
  suppressed: Type.Integer({ description: 'Those that stay refused: they must not be written to' }),
})
const CampaignDelivery = Type.Omit(Delivery, ['message_id'])
/** A recipient of a campaign and its delivery state. */
export type CampaignDelivery = Static<typeof CampaignDelivery>

/** One event of a campaign's progress. */
export type Progress = Static<typeof Progress>

const byId = Type.Object({ id: Type.String() })
const one = (description: string) => ({ 200: { description, body: Campaign } }) as const

export const listEmailCampaigns = defineOperation({
  name: 'listEmailCampaigns',
  summary: 'The campaigns of the workspace, newest first; staged ones are left out',
  ...routeOf(routes.listEmailCampaigns),
  access: 'member',
  permission: 'campaigns:read',
  query: Type.Object({
    ...CursorPaging,
    status: Type.Optional(Type.Enum([...campaignStatuses], { description: 'Only those that stand there' })),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only those in whose name or subject this text occurs' }),
    ),
    with_body: Type.Optional(
      Type.Boolean({ default: true, description: 'false: their bodies come as empty texts, for a list that is short' }),
    ),
  }),
  answers: {
    200: {
      description: 'The campaigns.',
      body: Type.Array(Campaign),
      headers: { ...nextCursorHeaders, [totalCountHeader]: 'How many there are in all' },
    },
  },
  errors: [],
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
  errors: ['config_not_found', 'mail_too_large', 'template_not_found'],
})

export const getEmailCampaign = defineOperation({
  name: 'getEmailCampaign',
  summary: 'One campaign and how far it is',
  ...routeOf(routes.getEmailCampaign),
  access: 'member',
  permission: 'campaigns:read',
  params: byId,
  answers: one('The campaign.'),
  errors: ['campaign_not_found'],
})

export const updateEmailCampaign = defineOperation({
  name: 'updateEmailCampaign',
  summary: 'Change a campaign that has not started; of a started one its name only',
  ...routeOf(routes.updateEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byId,
  body: CampaignChanges,
  answers: one('Changed.'),
  errors: ['campaign_not_found', 'campaign_state', 'campaign_has_recipients', 'config_not_found', 'mail_too_large'],
})

export const deleteEmailCampaign = defineOperation({
  name: 'deleteEmailCampaign',
  summary: 'Delete a campaign in any state; what has not left is cancelled',
  ...routeOf(routes.deleteEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['campaign_not_found'],
})

export const addCampaignRecipients = defineOperation({
  name: 'addCampaignRecipients',
  summary: 'Stream recipients into a campaign, as many as there are; repeating it adds only those that are missing',
  ...routeOf(routes.addCampaignRecipients),
  access: 'member',
  permission: 'campaigns:write',
  params: byId,
  bodyMedia: ['application/x-ndjson', 'text/csv'],
  answers: { 200: { description: 'They are in the campaign and on disk.', body: AddedRecipients } },
  isRepeatable: true,
  errors: ['campaign_not_found', 'campaign_state'],
})

const recipientFilter = {
  state: Type.Optional(Type.Enum([...deliveryStates], { description: 'Only those in this state' })),
  search: Type.Optional(
    Type.String({ maxLength: 254, description: 'Only addresses in which this text occurs, whatever its case' }),
  ),
}

export const listCampaignRecipients = defineOperation({
  name: 'listCampaignRecipients',
  summary: 'List the delivery state of each recipient of a campaign, in the order in which they were added',
  ...routeOf(routes.listCampaignRecipients),
  access: 'member',
  permission: 'campaigns:read',
  params: byId,
  query: Type.Object({ ...Paging, ...recipientFilter }),
  answers: {
    200: {
      description: 'The recipients.',
      body: Type.Array(CampaignDelivery),
      headers: { [totalCountHeader]: 'How many match the filter' },
    },
  },
  errors: ['campaign_not_found'],
})

export const exportCampaignRecipients = defineOperation({
  name: 'exportCampaignRecipients',
  summary: 'Recipients of a campaign as CSV; cells that a spreadsheet would read as a formula begin with an apostrophe',
  ...routeOf(routes.exportCampaignRecipients),
  access: 'member',
  permission: 'campaigns:read',
  params: byId,
  query: Type.Object(recipientFilter),
  answers: {
    200: {
      description: 'Columns email, state, reply, attempts, settled_at; without a filter, every recipient.',
      media: 'text/csv',
      body: Type.String(),
    },
  },
  errors: ['campaign_not_found'],
})

export const launchEmailCampaign = defineOperation({
  name: 'launchEmailCampaign',
  summary: 'Start a campaign, now or when it is scheduled for; a staged one is confirmed by it',
  ...routeOf(routes.launchEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byId,
  body: Schedule,
  answers: one('Sending, or scheduled.'),
  isRepeatable: true,
  errors: [
    'campaign_not_found',
    'campaign_state',
    'campaign_empty',
    'mail_too_large',
    'postal_address_missing',
    'config_not_found',
    'mailbox_paused',
  ],
})

export const pauseEmailCampaign = defineOperation({
  name: 'pauseEmailCampaign',
  summary: 'Pause a campaign; a second later nothing of it leaves',
  ...routeOf(routes.pauseEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byId,
  answers: one('Paused.'),
  errors: ['campaign_not_found', 'campaign_state'],
})

export const resumeEmailCampaign = defineOperation({
  name: 'resumeEmailCampaign',
  summary: 'Let a paused campaign go on',
  ...routeOf(routes.resumeEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byId,
  answers: one('Sending again, or scheduled again.'),
  isRepeatable: true,
  errors: ['campaign_not_found', 'campaign_state'],
})

export const cancelEmailCampaign = defineOperation({
  name: 'cancelEmailCampaign',
  summary: 'End a campaign; what has not left stays unsent',
  ...routeOf(routes.cancelEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byId,
  answers: one('Cancelled.'),
  errors: ['campaign_not_found', 'campaign_state'],
})

export const retryEmailCampaign = defineOperation({
  name: 'retryEmailCampaign',
  summary: 'Send once more to those recipients, and only those, whose mail was refused',
  ...routeOf(routes.retryEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byId,
  answers: { 200: { description: 'The refused ones are in the queue again.', body: RetriedCampaign } },
  isRepeatable: true,
  errors: ['campaign_not_found', 'campaign_state'],
})

export const testEmailCampaign = defineOperation({
  name: 'testEmailCampaign',
  summary: 'Send the campaign’s mail to a few addresses of one’s own, apart from its recipients',
  ...routeOf(routes.testEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byId,
  body: Type.Object({
    recipient_list: Type.Array(Type.String(), { minItems: 1, maxItems: campaignTestRecipientsMaxCount }),
    context: Type.Optional(Context),
  }),
  answers: {
    200: {
      description: 'Accepted and on disk.',
      body: Type.Object({
        message: Type.String(),
        id: Type.String({ description: 'Names the message' }),
        unfilled_variables: Type.Optional(
          Type.Array(Type.String(), { description: 'Merge variables that came out empty, the first 20 of them' }),
        ),
      }),
    },
  },
  isRepeatable: true,
  errors: ['campaign_not_found', 'config_not_found', 'mail_too_large', 'mailbox_paused'],
})

export const watchEmailCampaign = defineOperation({
  name: 'watchEmailCampaign',
  summary: 'The progress of a campaign as server-sent events named `progress`, until it has ended',
  ...routeOf(routes.watchEmailCampaign),
  access: 'member',
  permission: 'campaigns:read',
  params: byId,
  answers: {
    200: { description: 'One event now and one for each change.', media: 'text/event-stream', body: Progress },
  },
  errors: ['campaign_not_found'],
})
