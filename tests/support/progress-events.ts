import type { DayCounts } from '../../contract/results/statistics.ts'
import type { Reply } from './api-server.ts'

/** A response of server-sent events, one for each of these. */
export function progressEvents(...events: object[]): Reply {
  const text = events.map((event) => `event: progress\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return { text, headers: { 'Content-Type': 'text/event-stream' } }
}

/** A response of the stream of statistics, which then ends. */
export function statisticsEvents(days: readonly DayCounts[]): Reply {
  const text = `event: statistics\ndata: ${JSON.stringify(days)}\n\n`
  return { text, headers: { 'Content-Type': 'text/event-stream' } }
}
