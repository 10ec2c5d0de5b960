import { Type, type Static } from 'typebox'
import { suppressionReasons } from '../audience/suppression.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { bounceActions } from './bounce-reason.ts'
import * as routes from './bounce.routes.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Bounce = Type.Object({
  delivery_id: Type.String(),
  recipient: Type.String(),
  kind: Type.Enum(['bounced', 'delayed', 'refused'], {
    description: 'refused: the receiving server refused the mailbox that sends, not the recipient',
  }),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  reason: Type.String({ description: 'One of 34 reasons such as user_unknown or mailbox_full, or undefined' }),
  action: Type.Enum([...bounceActions], { description: 'What follows from the reason' }),
  words: Type.String({ description: 'Of the mail server, as plain text' }),
  status: orNull('Enhanced status code, as 5.1.1'),
  server: orNull('Name of the server that reports'),
  is_later: Type.Boolean({ description: 'It came as a mail; false: refused while the mail was sent' }),
  is_verified: Type.Boolean({ description: 'False: nothing proves its origin, and nothing follows from it' }),
  suppression: Type.Union(
    [Type.Object({ id: Type.String(), reason: Type.Enum([...suppressionReasons]) }), Type.Null()],
    { description: 'Of the recipient, now' },
  ),
  waiting_count: Type.Integer({ description: 'Bounces in a row that may end; suppressed at 5 over at least 7 days' }),
})
/** What came back of a mail, and what was done about it. */
export type Bounce = Static<typeof Bounce>

export const listBounces = defineOperation({
  name: 'listBounces',
  summary: 'Bounces and replies to the mails of a message, oldest first: at most the first 100',
  ...routeOf(routes.listBounces),
  access: 'member',
  permission: 'messages:read',
  params: Type.Object({ id: Type.String() }),
  answers: { 200: { description: 'Bounces and delays.', body: Type.Array(Bounce) } },
  errors: ['message_not_found'],
})

export const listCampaignBounces = defineOperation({
  name: 'listCampaignBounces',
  summary: 'Bounces and replies to the mail of one recipient of a campaign, oldest first',
  ...routeOf(routes.listCampaignBounces),
  access: 'member',
  permission: 'campaigns:read',
  params: Type.Object({ id: Type.String(), delivery_id: Type.String() }),
  answers: { 200: { description: 'Bounces and delays.', body: Type.Array(Bounce) } },
  errors: ['campaign_not_found'],
})
