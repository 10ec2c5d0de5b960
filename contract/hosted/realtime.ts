import type { Document } from './hosted.ts'

/** Address of a collection's websocket; `?last_id=` names the last change that the client has seen. */
export const realtimePath = '/realtime/collections/{collection}'

/** Within which time after connecting the API key has to come. */
export const realtimeKeyTimeoutMs = 5000

/**
 * What the server sends, one JSON text a message. `ready` answers the API key: changes after `last_id` follow. `reload`:
 * changes after the client's last one are no longer kept; list the collection again, then continue from `last_id`. `alive`
 * comes every 30 s, so that a client can detect a dead connection. All others are one change each, in the order of
 * their commits; `id` counts the collection's changes without a gap.
 */
export type RealtimeMessage =
  | { type: 'ready'; last_id: number }
  | { type: 'reload'; last_id: number }
  | { type: 'alive' }
  | RealtimeChange

/** One change of a collection. */
export type RealtimeChange =
  | { type: 'created' | 'updated'; id: number; document: Document }
  | { type: 'deleted'; id: number; document: Pick<Document, 'id'> }

/** Interval of `alive`. */
export const realtimeAliveMs = 30_000

/** Why the server closes a websocket (RFC 6455 §7.4.2: 4000–4999 are an application's own). */
export const realtimeCloseCodes = {
  /** No API key in time, an unknown or revoked one, or a page of another origin. */
  unauthorized: 4401,
  /** The key may not read this collection. */
  forbidden: 4403,
  /** The client reads slower than changes come. */
  tooSlow: 4408,
  /** Something came after the key. */
  unexpected: 1008,
  /** This client has opened too many that sent no valid API key yet: send the key first, or try again later. */
  tooMany: 4429,
  /** The server stops: connect again. */
  stopping: 1001,
  /** This process has as many websockets as it takes: try again later. */
  full: 1013,
} as const
