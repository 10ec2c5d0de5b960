/** Routes of the saved blocks, for their operations and the client. No shapes: browser code imports this file. */
export const listSavedBlocks = 'GET /email/blocks'
export const createSavedBlock = 'POST /email/blocks'
export const updateSavedBlock = 'PATCH /email/blocks/{id}'
export const deleteSavedBlock = 'DELETE /email/blocks/{id}'
