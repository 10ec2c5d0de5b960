import type { IncomingMessage } from 'node:http'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import {
  realtimeAliveMs,
  realtimeCloseCodes,
  realtimeKeyTimeoutMs,
  realtimePath,
  type RealtimeMessage,
} from '../../../contract/hosted/realtime.ts'
import { networkOf } from '../../domain/limits/attempt.ts'
import { createClientCounts } from '../../domain/limits/client-limits.ts'
import { isCollectionName, type HostedKey } from '../../domain/auth/hosted.ts'
import { mayRead } from '../../domain/hosted/hosted-access.ts'
import type { AuthenticateHosted } from '../../usecases/auth/authenticate-hosted.ts'
import type { RealtimeSource } from './realtime-source.ts'
import { createReader, type Reader } from './realtime-reader.ts'

/** What the websockets need. */
export interface RealtimeParts {
  authenticateKey: AuthenticateHosted['key']
  source: RealtimeSource
  /** Origins of our own pages. */
  origins: ReadonlySet<string>
  /** Of one client, that have not sent a valid key yet. */
  unauthenticatedMaxCount: number
  log: FastifyBaseLogger
}

/** The websockets of a process. */
export interface Realtime {
  /** Keys that websockets were opened with. */
  keyIds: () => string[]
  /** Closes the websockets of keys that were revoked. */
  endKeys: (ids: readonly string[]) => void
  /** Closes all of them, and takes no more. */
  stop: () => Promise<void>
}

/** More than this at once and a process would do nothing else. */
const readersMaxCount = 5000
/** Those that have sent no valid key yet must not take the places of all others. */
const unauthenticatedSharedMaxCount = readersMaxCount / 4
/** The key and nothing more: what is longer is cut off by closing. */
const messageMaxBytes = 1024
const alive = Buffer.from(JSON.stringify({ type: 'alive' } satisfies RealtimeMessage))

/** Whether a request is an upgrade to a websocket of this server; all others are handled as ordinary requests. */
export function isRealtimeUpgrade({ url, headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.startsWith(realtimePath.split('{', 1)[0] ?? '') === true
}

/** `/realtime/collections/{collection}` (spec §7): the first message is the API key, then the changes come. */
export async function addRealtime(app: FastifyInstance, parts: RealtimeParts): Promise<Realtime> {
  const { authenticateKey, source, origins, log } = parts
  const strangers = createClientCounts(parts.unauthenticatedMaxCount)
  const allStrangers = createClientCounts(unauthenticatedSharedMaxCount)
  const readers = new Map<Reader, HostedKey | null>()
  let state: 'open' | 'stopped' = 'open'

  await app.register(fastifyWebsocket, {
    options: { maxPayload: messageMaxBytes, perMessageDeflate: false },
    errorHandler: (error, socket) => {
      log.debug({ err: error }, 'A websocket broke')
      socket.terminate()
    },
  })
  app.route<{ Params: { collection: string }; Querystring: { last_id?: unknown } }>({
    method: 'GET',
    url: realtimePath.replace('{collection}', ':collection'),
    handler: () => {
      throw new AppError('websocket_only')
    },
    wsHandler: (socket, request) => {
      const reader = createReader(socket)
      const refusal = refusalOf(request)
      if (refusal !== null) {
        reader.close(refusal)
        return
      }
      const release = admit(request)
      if (typeof release === 'number') {
        reader.close(release)
        return
      }
      readers.set(reader, null)
      const timer = setTimeout(() => reader.close(realtimeCloseCodes.unauthorized), realtimeKeyTimeoutMs)
      void reader.closed.then((code) => {
        clearTimeout(timer)
        release()
        readers.delete(reader)
        log.debug({ code }, 'websocket closed')
      })
      reader.onFirstMessage((apiKey) => {
        clearTimeout(timer)
        void open(reader, apiKey, request, release)
      })
    },
  })

  function refusalOf(request: FastifyRequest): number | null {
    const { origin } = request.headers
    if (state === 'stopped') return realtimeCloseCodes.stopping
    // Programs send none. A page of another origin would spend its visitors' place in our network.
    if (origin !== undefined && !origins.has(origin)) return realtimeCloseCodes.unauthorized
    return readers.size >= readersMaxCount ? realtimeCloseCodes.full : null
  }

  /** Counts a websocket as one without a valid key. Returns its undo, or the code to close it with. */
  function admit({ ip }: FastifyRequest): (() => void) | number {
    const own = strangers.take(networkOf(ip))
    if (own === null) return realtimeCloseCodes.tooMany
    const shared = allStrangers.take('all')
    if (shared === null) {
      own()
      return realtimeCloseCodes.full
    }
    return () => {
      own()
      shared()
    }
  }

  async function open(
    reader: Reader,
    apiKey: string,
    { params, query, headers }: FastifyRequest<{ Params: { collection: string }; Querystring: { last_id?: unknown } }>,
    onAuthenticated: () => void,
  ): Promise<void> {
    try {
      const key = await authenticateKey(apiKey)
      onAuthenticated()
      if (!isCollectionName(params.collection) || !mayRead({ key, user: null }, params.collection)) {
        reader.close(realtimeCloseCodes.forbidden)
        return
      }
      if (readers.has(reader)) readers.set(reader, key)
      const undo = await source.open({ collection: params.collection, afterId: idOf(query.last_id), headers }, reader)
      void reader.closed.then(undo)
    } catch (error) {
      if (error instanceof AppError) reader.close(realtimeCloseCodes.unauthorized)
      else {
        log.warn({ err: error }, 'A websocket could not be served')
        reader.close(realtimeCloseCodes.full)
      }
    }
  }

  // A peer that is gone without a word would be kept for ever.
  const pinging = setInterval(() => {
    for (const [reader, key] of readers) {
      reader.ping()
      if (key !== null) reader.send(alive)
    }
  }, realtimeAliveMs).unref()

  return {
    keyIds: () => [...new Set([...readers.values()].flatMap((key) => (key === null ? [] : [key.id])))],
    endKeys(ids) {
      for (const [reader, key] of readers) {
        if (key !== null && ids.includes(key.id)) reader.close(realtimeCloseCodes.unauthorized)
      }
    },
    async stop() {
      state = 'stopped'
      clearInterval(pinging)
      const all = [...readers.keys()]
      for (const reader of all) reader.close(realtimeCloseCodes.stopping)
      await Promise.all(all.map(({ closed }) => closed))
    },
  }
}

function idOf(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}
