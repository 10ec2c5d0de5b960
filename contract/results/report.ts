import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { byCampaignId } from '../mail/campaign.ts'
import * as routes from './report.routes.ts'

const people = (description: string) => Type.Integer({ description })

const Act = Type.Object({
  people: people('Recipients of whom a person did it'),
  events: Type.Integer({ description: 'How often people did it' }),
  machines: people('Recipients for whom machines only did it; never part of the other figures'),
  probable: people('Of these, the ones with the verdict probable: probably a machine'),
})

const shared = {
  sent: people('Taken by the mail server'),
  opened: people('Opened by a person'),
  clicked: people('Clicked by a person'),
  bounced: people('Refused for good'),
  unsubscribed: people('Unsubscribed by a link of the mail'),
}

const BounceCount = Type.Object({
  reason: Type.String({ description: 'Such as user_unknown or mailbox_full' }),
  people: people('Recipients'),
})

const HourCount = Type.Object({
  at: Type.String({ description: 'Start of the hour; ISO 8601, UTC' }),
  opened: people('People who opened first in this hour'),
  machine_opens: people('Recipients whose first open in this hour was by a machine'),
  clicked: people('People who clicked first in this hour'),
  machine_clicks: people('Recipients whose first click in this hour was by a machine'),
  replied: people('People who replied first in this hour'),
  auto_replies: people('Recipients whose mailbox first sent an automatic reply in this hour'),
  unsubscribed: people('People who unsubscribed in this hour'),
})

const DomainCount = Type.Object({
  domain: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the address; null for all further ones together',
  }),
  domains: Type.Integer({ description: 'Domains that the row counts: 1, or all further ones' }),
  ...shared,
})

const MailboxCount = Type.Object({
  config_id: Type.String(),
  email_address: Type.String(),
  ...shared,
})

const LinkCount = Type.Object({
  no: Type.Integer({ description: 'Its place among the links of the mail, from 1' }),
  url: Type.String(),
  label: Type.Union([Type.String(), Type.Null()], { description: 'Text of the link' }),
  people: people('Recipients of whom a person clicked it'),
  clicks: Type.Integer({ description: 'Clicks by people' }),
  machines: people('Recipients for whom machines only clicked it'),
})

const CampaignReport = Type.Object({
  tracking: Type.Enum(['off', 'counts', 'identified'], {
    description: 'off: opens and clicks are not measured; counts: totals without people',
  }),
  sent: shared.sent,
  delivered: people('Sent and not bounced afterwards'),
  opened: Act,
  clicked: Act,
  replied: people('Recipients who replied'),
  auto_replied: people('Recipients whose mailbox sent an automatic reply'),
  bounced: shared.bounced,
  complained: people('Called it spam'),
  unsubscribed: shared.unsubscribed,
  bounces: Type.Array(BounceCount, { description: 'By reason, the most frequent first' }),
  hours: Type.Array(HourCount, { description: 'Hours with acts, oldest first; the first 2,000' }),
  domains: Type.Array(DomainCount, { description: 'The 50 with most mails, then one row for the rest' }),
  mailboxes: Type.Array(MailboxCount),
  links: Type.Array(LinkCount, { description: 'In the order of the mail' }),
  updated_at: Type.String({ description: 'When it was read; ISO 8601, UTC' }),
})
/** What became of a campaign. Machines are in no figure but those that are named so. */
export type CampaignReport = Static<typeof CampaignReport>

export const getCampaignReport = defineOperation({
  name: 'getCampaignReport',
  summary: 'Report of a campaign: people and machines, over time, by domain, mailbox, link and bounce reason',
  ...routeOf(routes.getCampaignReport),
  access: 'member',
  permission: 'analytics:read',
  params: byCampaignId,
  answers: { 200: { description: 'The report.', body: CampaignReport } },
  errors: ['campaign_not_found'],
})

export const watchCampaignReport = defineOperation({
  name: 'watchCampaignReport',
  summary: 'Stream the report as server-sent events named `report`: now, and after changes, twice a second at most',
  ...routeOf(routes.watchCampaignReport),
  access: 'member',
  permission: 'analytics:read',
  params: byCampaignId,
  answers: {
    200: {
      description: 'One event now and one after changes; the stream ends after 15 minutes.',
      media: 'text/event-stream',
      body: CampaignReport,
    },
  },
  errors: ['campaign_not_found'],
})
