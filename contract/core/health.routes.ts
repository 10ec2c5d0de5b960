/** Routes of the operating calls, for their operations and the client. No shapes: browser code imports this file. */
export const getHealth = 'GET /health'
export const getReadiness = 'GET /ready'
export const getOpenApi = 'GET /openapi.json'
