import { Type, type Static } from 'typebox'
import { Delivery, deliveryStates } from './message.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import { byCampaignId } from './campaign.ts'
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

const CampaignDelivery = Type.Omit(Delivery, ['message_id'])
/** A recipient of a campaign and its delivery state. */
export type CampaignDelivery = Static<typeof CampaignDelivery>

export const addCampaignRecipients = defineOperation({
  name: 'addCampaignRecipients',
  summary: 'Stream recipients into a campaign, as many as there are; repeating it adds only those that are missing',
  ...routeOf(routes.addCampaignRecipients),
  access: 'member',
  permission: 'campaigns:write',
  params: byCampaignId,
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
  params: byCampaignId,
  query: Type.Object({ ...CursorPaging, ...recipientFilter }),
  answers: pageAnswer('The recipients.', CampaignDelivery, 'How many match the filter'),
  errors: ['campaign_not_found'],
})

export const exportCampaignRecipients = defineOperation({
  name: 'exportCampaignRecipients',
  summary: 'Recipients of a campaign as CSV; cells that a spreadsheet would read as a formula begin with an apostrophe',
  ...routeOf(routes.exportCampaignRecipients),
  access: 'member',
  permission: 'campaigns:read',
  params: byCampaignId,
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
