/** Routes of the calls for bulk actions. No shapes: browser code imports this file. */
export const startContactAction = 'POST /email/contacts/actions'
export const getContactAction = 'GET /email/contacts/actions/{id}'
export const undoContactAction = 'POST /email/contacts/actions/{id}/undo'
