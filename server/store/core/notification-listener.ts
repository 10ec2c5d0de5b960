import pg from 'pg'
import { nextBackoffMs } from '../../domain/core/backoff.ts'
import type { Connection } from './database.ts'

interface Options {
  /** A direct connection to PostgreSQL: a pooler in transaction mode loses notifications. */
  connection: Connection
  log: { warn: (fields: object, message: string) => void }
  /** Name of the channel; an identifier. */
  channel: string
  /** Called with the payload of each notification; with null if notifications may have been missed. */
  onPayload: (payload: string | null) => void
}

const connectTimeoutMs = 10_000
/** Interval at which the connection is checked and readers poll; detects half-open connections. */
const beatMs = 10_000
const backoff = { minMs: 50, maxMs: 5000 }

/**
 * Listens for notifications on its own connection and reconnects when it is lost. Connects in the background; returns a
 * function that stops it.
 */
export function startNotificationListener({ connection, log, channel, onPayload }: Options): () => Promise<void> {
  let state: 'open' | 'closed' = 'open'
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let delayMs = 0

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...('url' in connection ? { connectionString: connection.url } : connection),
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
      application_name: 'sendwright realtime',
    })
    client = next
    next.on('notification', ({ payload }) => onPayload(payload ?? ''))
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next, null))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      delayMs = 0
      beat(next)
    } catch (error) {
      lose(next, error)
    }
  }

  /** Polls for changes whose notification was missed. */
  function beat(of: pg.Client): void {
    if (state === 'closed' || client !== of) return
    onPayload(null)
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => beat(of),
        (error: unknown) => lose(of, error),
      )
    }, beatMs)
  }

  function lose(of: pg.Client, error: unknown): void {
    if (state === 'closed' || client !== of) return
    client = null
    clearTimeout(timer)
    log.warn({ err: error }, 'The realtime connection to the database broke: connecting again')
    of.end().catch(() => undefined) // It is lost already.
    delayMs = nextBackoffMs(delayMs, backoff)
    timer = setTimeout(() => void connect(), delayMs)
  }

  void connect()
  return async () => {
    state = 'closed'
    clearTimeout(timer)
    await client?.end().catch(() => undefined) // It ends with the process at the latest.
  }
}
