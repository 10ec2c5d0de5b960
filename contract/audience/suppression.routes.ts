/** Routes of the suppression calls, for their operations and the client. No shapes: browser code imports this file. */
export const listSuppressions = 'GET /email/suppressions'
export const addSuppressions = 'POST /email/suppressions'
export const deleteSuppression = 'DELETE /email/suppressions/{id}'
export const importSuppressions = 'POST /email/suppressions/import'
export const exportSuppressions = 'GET /email/suppressions/export'
