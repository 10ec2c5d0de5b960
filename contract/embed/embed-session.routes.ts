/** Routes of the embed session calls, for their operations and the client. No shapes: browser code imports this file. */
export const openEmbedSession = 'POST /embed/sessions'
export const getEmbedConfig = 'GET /embed/config'
export const getEmbedConsent = 'GET /embed/consent'
export const giveEmbedConsent = 'POST /embed/consent'
export const exchangeEmbedCode = 'POST /embed/token'
