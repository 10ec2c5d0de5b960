import { Type, type Static } from 'typebox'
import { audienceBodyMaxBytes, audienceRecipientsMaxCount } from '../audience/campaign-audience.limits.ts'
import { campaignTestRecipientsMaxCount, configsOfCampaignMaxCount } from './campaign.limits.ts'
import { Context } from './message.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { byCampaignId, Campaign, campaignAnswer, campaignStatuses, Counts, instant } from './campaign.ts'
import * as routes from './campaign.routes.ts'
import { scheduledAt, timezone, undoSeconds } from './send/send-fields.ts'

const Schedule = Type.Object({ scheduled_at: Type.Optional(scheduledAt), timezone: Type.Optional(timezone) })
/** When to start; null: now. */
export type Schedule = Static<typeof Schedule>

const Launch = Type.Object({
  ...Schedule.properties,
  undo_seconds: undoSeconds,
  revision: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2 ** 53 - 2, description: 'Launched only if this is still its revision' }),
  ),
})
/** How to launch. */
export type Launch = Static<typeof Launch>

const Progress = Type.Object({
  status: Type.Enum([...campaignStatuses]),
  counts: Counts,
  finishes_at: instant('When the last mail will leave'),
})
/** One event of a campaign's progress. */
export type Progress = Static<typeof Progress>

const RetriedCampaign = Type.Object({
  ...Campaign.properties,
  message: Type.String({ description: 'What came of it, as a sentence' }),
  resent: Type.Integer({ description: 'Recipients in the queue again' }),
  suppressed: Type.Integer({ description: 'Those that stay refused because they are suppressed' }),
})
export const launchEmailCampaign = defineOperation({
  name: 'launchEmailCampaign',
  summary: 'Launch a campaign, now or at its scheduled time; a launch also confirms a staged one',
  ...routeOf(routes.launchEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byCampaignId,
  body: Launch,
  answers: campaignAnswer('Sending, preparing where it has an audience, or scheduled.'),
  isRepeatable: true,
  errors: [
    'campaign_not_found',
    'campaign_state',
    'campaign_empty',
    'audience_broken',
    'mail_too_large',
    'postal_address_missing',
    'revision_conflict',
    'config_not_found',
    'mailbox_paused',
  ],
})

export const undoEmailCampaign = defineOperation({
  name: 'undoEmailCampaign',
  summary: 'Undo a launch before any mail has left: the campaign is a draft again',
  ...routeOf(routes.undoEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byCampaignId,
  answers: campaignAnswer('A draft again.'),
  errors: ['campaign_not_found', 'undo_too_late'],
})

export const duplicateEmailCampaign = defineOperation({
  name: 'duplicateEmailCampaign',
  summary: 'Create a draft with the message, the audience and the recipients of a campaign',
  ...routeOf(routes.duplicateEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byCampaignId,
  answers: { 201: { description: 'The copy, a draft.', body: Campaign } },
  isRepeatable: true,
  errors: ['campaign_not_found', 'config_not_found'],
})

export const estimateEmailCampaign = defineOperation({
  name: 'estimateEmailCampaign',
  summary: 'Estimate a launch without writing anything: how many people get it, and when the last mail leaves',
  ...routeOf(routes.estimateEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  body: Type.Object({
    config_ids: Type.Array(Type.String(), { minItems: 1, maxItems: configsOfCampaignMaxCount }),
    recipients: Type.Optional(
      Type.Array(Type.String({ maxLength: 320 }), {
        maxItems: audienceRecipientsMaxCount,
        description: 'Addresses; those that are no address are ignored',
      }),
    ),
    recipient_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000_000,
        description: 'People beside recipients, such as of an audience',
      }),
    ),
    scheduled_at: Type.Optional(scheduledAt),
    timezone: Type.Optional(timezone),
  }),
  bodyMaxBytes: audienceBodyMaxBytes,
  answers: {
    200: {
      description: 'The forecast.',
      body: Type.Object({
        count: Type.Integer({ description: 'Recipients who get the mail' }),
        suppressed: Type.Integer({ description: 'Recipients left out because they are suppressed' }),
        finishes_at: instant('When the last mail will leave by the mailboxes’ quotas'),
        problems: Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
          description: 'Why the launch would be refused, such as a paused mailbox or a missing postal address',
        }),
      }),
    },
  },
  errors: ['config_not_found'],
})

export const pauseEmailCampaign = defineOperation({
  name: 'pauseEmailCampaign',
  summary: 'Pause a campaign; a second later nothing of it leaves',
  ...routeOf(routes.pauseEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byCampaignId,
  answers: campaignAnswer('Paused.'),
  errors: ['campaign_not_found', 'campaign_state'],
})

export const resumeEmailCampaign = defineOperation({
  name: 'resumeEmailCampaign',
  summary: 'Resume a paused campaign',
  ...routeOf(routes.resumeEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byCampaignId,
  answers: campaignAnswer('Sending again, or scheduled again.'),
  isRepeatable: true,
  errors: ['campaign_not_found', 'campaign_state'],
})

export const cancelEmailCampaign = defineOperation({
  name: 'cancelEmailCampaign',
  summary: 'Cancel a campaign; mails that have not left stay unsent',
  ...routeOf(routes.cancelEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byCampaignId,
  answers: campaignAnswer('Cancelled.'),
  errors: ['campaign_not_found', 'campaign_state'],
})

export const retryEmailCampaign = defineOperation({
  name: 'retryEmailCampaign',
  summary: 'Retry the recipients whose mail was refused, and only those',
  ...routeOf(routes.retryEmailCampaign),
  access: 'member',
  permission: 'campaigns:launch',
  params: byCampaignId,
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
  params: byCampaignId,
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
  params: byCampaignId,
  answers: {
    200: { description: 'One event now and one for each change.', media: 'text/event-stream', body: Progress },
  },
  errors: ['campaign_not_found'],
})
