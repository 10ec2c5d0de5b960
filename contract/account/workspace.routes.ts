/** Routes of the workspace calls, for their operations and the client. No shapes: browser code imports this file. */
export const getWorkspace = 'GET /workspace'
export const updateWorkspace = 'PATCH /workspace'
