/** Routes of the template calls, for their operations and the client. No shapes: browser code imports this file. */
export const createEmailTemplate = 'POST /email/template'
export const getEmailTemplates = 'GET /email/templates'
export const getEmailTemplate = 'GET /email/template/{id}'
export const updateEmailTemplate = 'PATCH /email/template/{id}'
export const deleteEmailTemplate = 'DELETE /email/template/{id}'
export const restoreEmailTemplate = 'POST /email/template/{id}/restore'
export const deleteAllTemplates = 'DELETE /email/templates'
