/** Routes of the check before sending, for its operations and the client. No shapes: browser code imports this file. */
export const startDeliverabilityCheck = 'POST /email/deliverability'
export const startSelfTest = 'POST /email/deliverability/self-test'
export const getDeliverabilityCheck = 'GET /email/deliverability/{id}'
