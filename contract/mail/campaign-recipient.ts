import { Type, type Static } from 'typebox'
import { Delivery, deliveryStates } from './message.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import { listNameMaxChars } from '../audience/list.limits.ts'
import { byCampaignId, instant } from './campaign.ts'
import * as routes from './campaign.routes.ts'

const AddedRecipients = Type.Object({
  added: Type.Integer({ description: 'Recipients with a row of their own, on disk' }),
  suppressed: Type.Integer({ description: 'Of these, those that are suppressed' }),
  duplicates: Type.Integer({ description: 'Lines whose address the campaign had already' }),
  refused: Type.Integer({ description: 'Lines that are not one recipient' }),
  refusals: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), {
    description: 'The first of the refused lines; they count from 1',
  }),
})
/** What became of a stream of recipients. */
export type AddedRecipients = Static<typeof AddedRecipients>

export const CampaignDelivery = Type.Object({
  ...Type.Omit(Delivery, ['message_id']).properties,
  id: Type.String({ description: 'Of the delivery' }),
  config_id: Type.String({ description: 'The mailbox that sends to it' }),
  mailbox: Type.String({ description: 'Address of that mailbox' }),
  opened_at: instant('First open by a person'),
  clicked_at: instant('First click by a person'),
  replied_at: instant('First reply'),
  bounced_at: instant('When it was refused for good'),
})
/** A recipient of a campaign and its delivery state. */
export type CampaignDelivery = Static<typeof CampaignDelivery>

export const addCampaignRecipients = defineOperation({
  name: 'addCampaignRecipients',
  summary: 'Stream any number of recipients into a campaign; a repeated call adds only the missing ones',
  ...routeOf(routes.addCampaignRecipients),
  access: 'member',
  permission: 'campaigns:write',
  params: byCampaignId,
  bodyMedia: ['application/x-ndjson', 'text/csv'],
  answers: { 200: { description: 'They are in the campaign and on disk.', body: AddedRecipients } },
  isRepeatable: true,
  errors: ['campaign_not_found', 'campaign_state'],
})

/** What recipients did, or did not. */
export const recipientActs = [
  'sent',
  'delivered',
  'opened',
  'not_opened',
  'opened_by_machines',
  'clicked',
  'clicked_by_machines',
  'replied',
  'bounced',
  'complained',
  'unsubscribed',
] as const
export type RecipientAct = (typeof recipientActs)[number]

const recipientFilter = {
  did: Type.Optional(
    Type.Enum([...recipientActs], {
      description:
        'Only those who did it, by a person; not_opened: delivered, and neither opened, clicked nor replied; …_by_machines: only machines did it',
    }),
  ),
  link_no: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 32_767, description: 'Only those of whom a person clicked this link' }),
  ),
  domain: Type.Optional(Type.String({ maxLength: 253, description: 'Only addresses of this domain' })),
  bounce_reason: Type.Optional(
    Type.String({ maxLength: 40, description: 'Only those that bounced for this reason, such as user_unknown' }),
  ),
  config_id: Type.Optional(Type.String({ maxLength: 40, description: 'Only those whom this mailbox sends to' })),
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
  params: byCampaignId,
  query: Type.Object({ ...CursorPaging, ...recipientFilter }),
  answers: pageAnswer('The recipients.', CampaignDelivery, 'How many match the filter'),
  errors: ['campaign_not_found', 'cursor_invalid', 'search_too_broad'],
})

export const exportCampaignRecipients = defineOperation({
  name: 'exportCampaignRecipients',
  summary: 'Recipients of a campaign as CSV; cells that a spreadsheet would read as a formula begin with an apostrophe',
  ...routeOf(routes.exportCampaignRecipients),
  access: 'member',
  permission: 'contacts:export',
  params: byCampaignId,
  query: Type.Object({
    ...recipientFilter,
    format: Type.Optional(Type.Enum(['csv', 'ndjson'], { default: 'csv', description: 'ndjson: one object a line' })),
  }),
  answers: {
    200: {
      description:
        'Columns email, state, reply, attempts, settled_at, mailbox, opened_at, clicked_at, replied_at, bounced_at; without a filter, every recipient.',
      media: 'text/csv',
      body: Type.String(),
    },
  },
  errors: ['campaign_not_found'],
})

export const saveRecipientsAsList = defineOperation({
  name: 'saveRecipientsAsList',
  summary: 'Create a list of the contacts among the recipients that match the filter; it does not change afterwards',
  ...routeOf(routes.saveRecipientsAsList),
  access: 'member',
  permission: 'lists:write',
  params: byCampaignId,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: listNameMaxChars }),
    ...recipientFilter,
  }),
  answers: {
    201: {
      description: 'The list. Recipients without a contact are not in it.',
      body: Type.Object({ id: Type.String(), name: Type.String(), members: Type.Integer() }),
    },
  },
  errors: ['campaign_not_found', 'list_exists', 'list_limit_reached'],
})
