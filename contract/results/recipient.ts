import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CampaignDelivery } from '../mail/campaign-recipient.ts'
import { MessageContentView } from '../mail/message.ts'
import * as routes from './report.routes.ts'

/** An entry in the timeline of a recipient. */
export const recipientEvents = [
  'sent',
  'failed',
  'opened',
  'clicked',
  'replied',
  'auto_replied',
  'bounced',
  'delayed',
  'complained',
  'unsubscribed',
  'resubscribed',
  'preferences_changed',
] as const
export type RecipientEvent = (typeof recipientEvents)[number]

const RecipientTimelineEntry = Type.Object({
  at: Type.String({ description: 'ISO 8601, UTC' }),
  event: Type.Enum([...recipientEvents]),
  verdict: Type.Union([Type.Enum(['human', 'probable', 'machine']), Type.Null()], {
    description: 'Who caused an open or a click; null for other events',
  }),
  link_no: Type.Union([Type.Integer(), Type.Null()]),
  url: Type.Union([Type.String(), Type.Null()], { description: 'Of the link' }),
  label: Type.Union([Type.String(), Type.Null()], { description: 'Text of the link' }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description: 'The mail server’s reply, or the reason of a bounce',
  }),
})

const CampaignRecipientView = Type.Object({
  ...CampaignDelivery.properties,
  timeline: Type.Array(RecipientTimelineEntry, { description: 'The newest first; 200 at most' }),
  content: MessageContentView,
})
/** A recipient of a campaign: what became of its mail, and the mail as it was sent. */
export type CampaignRecipientView = Static<typeof CampaignRecipientView>

export const getCampaignRecipient = defineOperation({
  name: 'getCampaignRecipient',
  summary: 'One recipient of a campaign: its timeline, the reply of the mail server and the mail as it was sent',
  ...routeOf(routes.getCampaignRecipient),
  access: 'member',
  permission: 'campaigns:read',
  params: Type.Object({ id: Type.String(), delivery_id: Type.String({ maxLength: 20 }) }),
  answers: { 200: { description: 'The recipient.', body: CampaignRecipientView } },
  errors: ['campaign_not_found', 'delivery_not_found', 'content_gone'],
})
