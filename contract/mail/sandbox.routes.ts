/** Routes of the sandbox calls, for their operations and the client. No shapes: browser code imports this file. */
export const listSandboxMessages = 'GET /sandbox/messages'
export const getSandboxMessage = 'GET /sandbox/messages/{id}'
export const answerSandboxMessage = 'POST /sandbox/messages/{id}/answer'
