/** Routes of the draft calls, for their operations and the client. No shapes: browser code imports this file. */
export const getDraft = 'GET /drafts/{kind}'
export const saveDraft = 'PUT /drafts/{kind}'
export const deleteDraft = 'DELETE /drafts/{kind}'
