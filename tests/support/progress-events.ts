import type { Reply } from './api-server.ts'

/** A response of server-sent events, one for each of these. */
export function progressEvents(...events: object[]): Reply {
  const text = events.map((event) => `event: progress\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return { text, headers: { 'Content-Type': 'text/event-stream' } }
}
