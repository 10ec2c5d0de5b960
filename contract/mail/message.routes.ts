/** Routes of the message calls, for their operations and the client. No shapes: browser code imports this file. */
export const sendMailWithKey = 'POST /email/send-mail/{secret_key}'
export const sendMailWithKeyApi = 'POST /api/send-mail/{secret_key}'
export const listMessages = 'GET /email/messages'
export const getMessage = 'GET /email/messages/{id}'
export const watchMessage = 'GET /email/messages/{id}/events'
export const retryMessage = 'POST /email/messages/{id}/retry'
export const resendMessage = 'POST /email/messages/{id}/resend'
export const getMessageApi = 'GET /api/messages/{id}'
