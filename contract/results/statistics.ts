import { Type, type Static } from 'typebox'
import { statisticsDefaultDays, statisticsMaxDays } from './statistics.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './statistics.routes.ts'

const DayCounts = Type.Object({
  day: Type.String({ description: 'YYYY-MM-DD in the time zone that was asked for' }),
  sent: Type.Integer({ description: 'Taken by the mail server on that day' }),
  failed: Type.Integer({ description: 'Refused for good on that day' }),
  waiting: Type.Integer({ description: 'Accepted on that day and not settled yet; recipients of a draft are not' }),
  delivered: Type.Integer({ description: 'Sent on that day, less the mails that came back on that day' }),
  opened: Type.Integer({ description: 'Mails that a person opened first on that day; machines are left out' }),
  clicked: Type.Integer({ description: 'Mails in which a person clicked first on that day; machines are left out' }),
  replied: Type.Integer({ description: 'Mails that a person replied to first on that day' }),
  bounced: Type.Integer({ description: 'Mails that were refused for good or came back on that day' }),
  unsubscribed: Type.Integer({ description: 'Mails by whose link a person unsubscribed on that day' }),
})
/** What became of mails on one day; test mails are in no figure. */
export type DayCounts = Static<typeof DayCounts>

const StatisticsQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: statisticsMaxDays, default: statisticsDefaultDays })),
  timezone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "IANA name such as 'Europe/Berlin'; UTC if absent" }),
  ),
})

export const getStatistics = defineOperation({
  name: 'getStatistics',
  summary: 'Results of mails on each of the last days, including days without any; test mails are not counted',
  ...routeOf(routes.getStatistics),
  access: 'member',
  permission: 'analytics:read',
  caller: 'program',
  query: StatisticsQuery,
  answers: { 200: { description: 'One item for each day, oldest first.', body: Type.Array(DayCounts) } },
})

export const watchStatistics = defineOperation({
  name: 'watchStatistics',
  summary: 'Stream the same as server-sent events named `statistics`: now, and after changes, twice a second at most',
  ...routeOf(routes.watchStatistics),
  access: 'member',
  permission: 'analytics:read',
  query: StatisticsQuery,
  answers: {
    200: {
      description: 'One event now and one after changes; the stream ends after 15 minutes.',
      media: 'text/event-stream',
      body: Type.Array(DayCounts),
    },
  },
})
