/** Routes of the calls on reading. No shapes: browser code imports this file. */
export const getReading = 'GET /email/configs/{id}/reading'
export const startReadingConsent = 'POST /email/configs/{id}/reading/consent'
