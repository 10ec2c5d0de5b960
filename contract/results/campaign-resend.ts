import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { byCampaignId, Campaign } from '../mail/campaign.ts'
import { subjectMaxChars } from '../mail/message.limits.ts'
import * as routes from './report.routes.ts'

const Resend = Type.Object({
  to: Type.Enum(['not_opened'], {
    description: 'not_opened: recipients who got the mail, and neither opened, clicked nor replied',
  }),
  subject: Type.String({ minLength: 1, maxLength: subjectMaxChars }),
})
/** Who gets a campaign again, and its new subject. */
export type Resend = Static<typeof Resend>

export const resendEmailCampaign = defineOperation({
  name: 'resendEmailCampaign',
  summary: 'Create a draft with the message of a campaign and a new subject, for its recipients who did not open it',
  ...routeOf(routes.resendEmailCampaign),
  access: 'member',
  permission: 'campaigns:write',
  params: byCampaignId,
  body: Resend,
  answers: { 201: { description: 'The copy, a draft. Launch it to send it.', body: Campaign } },
  isRepeatable: true,
  errors: ['campaign_not_found', 'campaign_state', 'tracking_off', 'config_not_found'],
})
