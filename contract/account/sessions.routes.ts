/** Routes of the session calls, for their operations and the client. No shapes: browser code imports this file. */
export const listSessions = 'GET /auth/sessions'
export const revokeSession = 'DELETE /auth/sessions/{id}'
export const revokeOtherSessions = 'DELETE /auth/sessions'
