/** Routes of the tracking domains, for their operations and the client. No shapes: browser code imports this file. */
export const listTrackingDomains = 'GET /email/tracking-domains'
export const createTrackingDomain = 'POST /email/tracking-domains'
export const deleteTrackingDomain = 'DELETE /email/tracking-domains/{id}'
export const checkTrackingDomain = 'POST /email/tracking-domains/{id}/check'
export const allowTrackingHost = 'GET /tracking/allow-host'
