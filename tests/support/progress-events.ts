import type { DayCounts } from '../../contract/results/statistics.ts'
import type { ReplyCounts } from '../../contract/inbox/reply.ts'
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

/** A response of the stream of reply counts, which then ends. */
export function replyCountEvents(unreadCount: number): Reply {
  const counts: ReplyCounts = {
    unread_count: unreadCount,
    reply_count: unreadCount,
    auto_reply_count: 0,
    probable_count: 0,
    unverified_count: 0,
    is_any_reading: true,
  }
  return {
    text: `event: replies\ndata: ${JSON.stringify(counts)}\n\n`,
    headers: { 'Content-Type': 'text/event-stream' },
  }
}
