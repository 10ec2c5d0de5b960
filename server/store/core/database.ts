import { noteConnectionError } from '../../domain/core/database-unavailable.ts'
import { drizzle, type NodePgDatabase } from './drizzle.ts'
import pg from 'pg'

/** How to reach PostgreSQL: an address, or the parts of a local one. */
export type Connection =
  { url: string } | { host: string; port: number; user: string; password: string; database: string }

/** The pool for hot statements, and the same connections through drizzle for all others. */
export interface Database {
  pool: pg.Pool
  orm: NodePgDatabase
  close: () => Promise<void>
}

/** The pool, or one connection in a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>

/** One connection in a transaction, through both. */
export interface Transaction {
  client: pg.PoolClient
  orm: NodePgDatabase
}

/** Connections of one process. */
const connectionsMaxCount = 20
const connectTimeoutMs = 10_000

// Our bigints are row ids and counts; both stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A pool that marks the errors by which the database is away, and tells the first one of connecting after it was there. */
class MarkingPool extends pg.Pool {
  #isReached = false

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return super.connect().then(
        (client) => this.#reached(client),
        (error: unknown) => {
          throw this.#failed(error as Error)
        },
      )
    }
    super.connect((error, client, done) => {
      if (error) callback(this.#failed(error), undefined, done)
      else callback(undefined, client && this.#reached(client), done)
    })
    return undefined
  }

  #reached(client: pg.PoolClient): pg.PoolClient {
    this.#isReached = true
    return client
  }

  #failed(error: Error): Error {
    noteConnectionError(error)
    if (this.#isReached) this.emit('error', error)
    this.#isReached = false
    return error
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void

/** Opens a pool; nothing is connected before the first query. */
export function openDatabase(connection: Connection, onError: (error: Error) => void): Database {
  const pool = new MarkingPool({
    ...('url' in connection ? { connectionString: connection.url } : connection),
    max: connectionsMaxCount,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'sendwright',
  })
  // Without a listener a connection that breaks ends the process: one that is idle, and one that somebody holds, whose next
  // statement fails then.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', noteConnectionError))
  return { pool, orm: drizzle(pool), close: () => pool.end() }
}

/**
 * Does work in a transaction of its own: committed when it returns, rolled back when it throws. `begin` may set more, in
 * the same trip to the database.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query(begin)
    const result = await work({ client, orm: drizzle(client) })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true)) // The first error says what happened.
    throw error
  } finally {
    client.release(broken)
  }
}

/** Whether PostgreSQL refused a statement for what was in it (SQLSTATE classes 22 and 23); nothing of it was done then. */
export function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}
