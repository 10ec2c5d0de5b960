/** Routes of messages that have not left, for their operations and the client. No shapes: browser code imports this file. */
export const listScheduledMessages = 'GET /email/messages/scheduled'
export const getScheduledMessage = 'GET /email/messages/scheduled/{id}'
export const updateScheduledMessage = 'PATCH /email/messages/{id}'
export const cancelMessage = 'POST /email/messages/{id}/cancel'
export const undoMessage = 'POST /email/messages/{id}/undo'
export const sendTestMail = 'POST /email/send-test'
export const previewMail = 'POST /email/preview-mail'
