import type { Handler } from '../support/api-server.ts'
import { progressEvents, statisticsEvents } from '../support/progress-events.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import {
  campaignCounts,
  sampleCampaign,
  sampleConfig,
  sampleDay,
  sampleMessage,
  sampleUsage,
} from '../support/samples.ts'

const listed = (items: readonly unknown[]): Handler => ({
  json: items,
  headers: { 'X-Total-Count': String(items.length) },
})

const shop = { id: 'cfg_2', email_address: 'shop@northwind.example' }
const press = { id: 'cfg_3', email_address: 'press@northwind.example' }
const noLimits = { limit_per_minute: null, limit_per_day: null, limit_connections: null }

const sending = sampleMessage({
  'visitor-1@example.org': 'sent',
  'visitor-2@example.org': 'sent',
  'visitor-3@example.org': 'sending',
})

/** API responses for a gallery with some weeks of traffic. `now` is the newest day of its chart. */
export function northwindAnswers(now: Date): Record<string, Handler> {
  const daysAgo = (count: number, hour = 9) => {
    const day = new Date(now)
    day.setUTCDate(day.getUTCDate() - count)
    day.setUTCHours(hour, 30, 0, 0)
    return day.toISOString()
  }
  const { deliveries: _deliveries, ...thanks } = sampleMessage(
    { 'lin@example.org': 'sent', 'noor@example.org': 'sent' },
    { subject: 'Thank you for lending us your drawing', created_at: daysAgo(1, 14) },
  )
  return {
    ...signedInResponses(),
    listEmailConfigs: listed([
      sampleConfig(),
      sampleConfig({ ...shop, provider: 'other', secret_key: 'ck_8b21' }),
      sampleConfig({ ...press, provider: 'outlook', secret_key: 'ck_77de' }),
    ]),
    listConfigUsage: listed([
      sampleUsage({ day_count: 312 }),
      sampleUsage({
        ...shop,
        day_count: 1240,
        day_limit: 2000,
        own_limits: { ...noLimits, limit_per_day: 2000 },
        provider_limits: { ...noLimits, limit_connections: 3 },
      }),
      sampleUsage({ ...press, day_count: 18, day_limit: 270 }),
    ]),
    listMessages: listed([thanks]),
    listEmailCampaigns: listed([
      sampleCampaign({
        status: 'sending',
        started_at: daysAgo(0),
        counts: campaignCounts({ sent: 1240, queued: 386, failed: 3 }),
      }),
      sampleCampaign({
        id: 'cmp_2',
        name: 'Members’ evening',
        status: 'finished',
        started_at: daysAgo(4, 17),
        counts: campaignCounts({ sent: 412, failed: 1, suppressed: 6 }),
      }),
      sampleCampaign({
        id: 'cmp_3',
        name: 'Letterpress workshop',
        status: 'finished',
        started_at: daysAgo(11, 8),
        counts: campaignCounts({ sent: 188 }),
      }),
    ]),
    watchStatistics: statisticsEvents(
      Array.from({ length: 60 }, (_day, at) => {
        const sent = Math.round((mailsOfDay[at % 30] ?? 0) * (at < 30 ? 0.8 : 1))
        const failed = sent > 300 ? 4 : 0
        return sampleDay({
          day: daysAgo(59 - at).slice(0, 10),
          ...{ sent, failed, waiting: at === 59 ? 386 : 0, opened: Math.round(sent * 0.46), bounced: failed },
          ...{ clicked: Math.round(sent * 0.12), replied: Math.round(sent * 0.015), unsubscribed: sent > 300 ? 2 : 0 },
        })
      }),
    ),
    sendMailWithKey: {
      json: { message: 'Email sent successfully to 3 recipients', id: 'msg_1', accepted: 3, suppressed: 0 },
    },
    getMessage: { json: sending },
    watchMessage: progressEvents(sending),
  }
}

const mailsOfDay = [
  12, 44, 31, 8, 2, 58, 73, 41, 36, 190, 22, 4, 65, 81, 52, 47, 33, 9, 188, 94, 62, 38, 71, 12, 5, 413, 126, 84, 57,
  1240,
]
