/** Routes of the statistic calls, for their operations and the client. No shapes: browser code imports this file. */
export const getStatistics = 'GET /email/statistics'
export const watchStatistics = 'GET /email/statistics/events'
