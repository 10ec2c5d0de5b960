import { noteConnectionError } from '../../domain/core/database-unavailable.ts'
import pg from 'pg'

/** How to reach PostgreSQL: a URL, or the parts of a local address. */
export type Connection =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string }

/** The connections of one process. */
export interface Database {
  pool: pg.Pool
  close: () => Promise<void>
}

/** The pool, or one connection in a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>

/** One connection in a transaction. */
export interface Transaction {
  client: pg.PoolClient
}

/** Connections of one process. */
const connectionsMaxCount = 20
const connectTimeoutMs = 10_000

// Our bigints are row ids and counts; both stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A pool that marks connection errors, and emits the first failure to connect after a successful connection. */
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
  // Without a listener a broken connection ends the process, whether it is idle or in use; in use, its next statement fails.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', noteConnectionError))
  return { pool, close: () => pool.end() }
}

/**
 * Runs `work` in a transaction: committed when it returns, rolled back when it throws. `begin` may contain further settings,
 * sent in the same round trip.
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
    const result = await work({ client })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true)) // The first error is the cause.
    throw error
  } finally {
    client.release(broken)
  }
}

/** The first row of a query; null if there is none. */
export async function findRow<Row extends pg.QueryResultRow>(
  executor: Queryable,
  sql: string,
  values: readonly unknown[],
): Promise<Row | null> {
  const { rows } = await executor.query<Row>(sql, [...values])
  return rows[0] ?? null
}

/** The `count` that a query returns; 0 without a row. */
export async function countRows(executor: Queryable, sql: string, values: readonly unknown[] = []): Promise<number> {
  const row = await findRow<{ count: number }>(executor, sql, values)
  return row?.count ?? 0
}

/** Whether PostgreSQL rejected a statement because of its data (SQLSTATE classes 22 and 23); nothing was changed then. */
export function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}
