/** Routes of the calls on bounces. No shapes: browser code imports this file. */
export const listBounces = 'GET /email/messages/{id}/bounces'
export const listCampaignBounces = 'GET /email/campaigns/{id}/recipients/{delivery_id}/bounces'
