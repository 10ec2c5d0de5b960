import type { IncomingHttpHeaders } from 'node:http'
import { realtimeCloseCodes, type RealtimeMessage } from '../../../contract/hosted/realtime.ts'
import type { Change } from '../../domain/auth/hosted.ts'
import type { CollectionFeed } from '../../usecases/hosted/watch-collection.ts'
import { toDocument } from './hosted.ts'
import type { Reader } from './realtime-reader.ts'

/** A subscription of a reader: the collection and the position to start from. */
export interface RealtimePlace {
  collection: string
  /** The last change that it has seen; null for none. */
  afterId: number | null
  /** Of the request that opened the websocket. */
  headers: IncomingHttpHeaders
}

/** Where changes come from: this server's own database, or another deployment. */
export interface RealtimeSource {
  /** Subscribes a reader; returns the undo. Rejects where that is impossible now. */
  open: (place: RealtimePlace, reader: Reader) => Promise<() => void>
}

/** This server's own changes, each written once for all of its readers. */
export function createOwnSource(feed: CollectionFeed): RealtimeSource {
  const texts = new WeakMap<Change, Buffer>()

  function textOf(change: Change): Buffer {
    const known = texts.get(change)
    if (known !== undefined) return known
    const text = write(
      change.kind === 'deleted'
        ? { type: 'deleted', id: change.id, document: change.document }
        : { type: change.kind, id: change.id, document: toDocument(change.document) },
    )
    texts.set(change, text)
    return text
  }

  return {
    open: ({ collection, afterId }, reader) =>
      feed.watch(collection, afterId, {
        ready: (lastId) => reader.send(write({ type: 'ready', last_id: lastId })),
        reload: (lastId) => reader.send(write({ type: 'reload', last_id: lastId })),
        deliver: (change) => reader.send(textOf(change)),
        drained: () => reader.drained(),
        broken: () => reader.close(realtimeCloseCodes.full),
      }),
  }
}

function write(message: RealtimeMessage): Buffer {
  return Buffer.from(JSON.stringify(message))
}
