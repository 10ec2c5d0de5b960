/** Routes of the attachment calls, for their operations and the client. No shapes: browser code imports this file. */
export const uploadAttachment = 'POST /email/attachments'
