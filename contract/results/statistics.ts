import { Type, type Static } from 'typebox'
import { statisticsDefaultDays, statisticsMaxDays } from './statistics.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './statistics.routes.ts'

const DayCounts = Type.Object({
  day: Type.String({ description: 'YYYY-MM-DD in the time zone that was asked for' }),
  sent: Type.Integer({ description: 'Taken by the mail server on that day' }),
  failed: Type.Integer({ description: 'Refused for good on that day' }),
  waiting: Type.Integer({ description: 'Accepted on that day and not settled yet; recipients of a draft are not' }),
})
/** What became of mails on one day. */
export type DayCounts = Static<typeof DayCounts>

export const getStatistics = defineOperation({
  name: 'getStatistics',
  summary: 'How many mails left on each of the last days, days without any included; test mails are not counted',
  ...routeOf(routes.getStatistics),
  access: 'member',
  permission: 'analytics:read',
  query: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: statisticsMaxDays, default: statisticsDefaultDays })),
    timezone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "IANA name such as 'Europe/Berlin'; UTC if absent" }),
    ),
  }),
  answers: { 200: { description: 'One item for each day, oldest first.', body: Type.Array(DayCounts) } },
})
