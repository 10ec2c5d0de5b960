/** Routes of the report calls, for their operations and the client. No shapes: browser code imports this file. */
export const getCampaignReport = 'GET /email/campaign/{id}/report'
export const watchCampaignReport = 'GET /email/campaign/{id}/report/events'
export const getCampaignRecipient = 'GET /email/campaign/{id}/recipients/{delivery_id}'
export const resendEmailCampaign = 'POST /email/campaign/{id}/resend'
