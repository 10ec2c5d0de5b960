import { randomBytes } from 'node:crypto'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pg from 'pg'
import { afterAll } from 'vitest'
import type { BuiltPages } from '../../contract/core/pages.ts'
import type { SandboxMessage } from '../../contract/mail/sandbox.ts'
import type { ClientLimits } from '../../server/domain/limits/client-limits.ts'
import type { TrackingNetwork } from '../../server/mailer/links/tracking-host.ts'
import { createNewId } from '../../server/domain/core/id.ts'
import { createLogger } from '../../server/logger.ts'
import { startServer, type RunningServer } from '../../server/server.ts'
import { readSettings } from '../../server/settings.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import type { Vault } from '../../server/store/vault/vault.ts'
import type { TestDatabase } from './postgres-server.ts'
import { createTestDatabase } from './postgres.ts'
import { baseFolder } from './temporary-folder.ts'

/** The real server in this process: sandbox, sender, a database of its own, a free port. */
export interface TestServer extends AsyncDisposable {
  url: string
  server: RunningServer
  database: TestDatabase
  /** Its data folder. */
  folder: string
  /** Seals the secrets of rows that a test writes. */
  vault: Vault
  /** The whole log, as text, with the error output of its child processes. */
  logged: () => string
  /** Runs one SQL statement, to read or prepare rows. */
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
  /** Waits for mails to an address to arrive in the sandbox; newest first. */
  mailsTo: (address: string, count?: number) => Promise<SandboxMessage[]>
  /** Moves the server's clock. */
  advance: (ms: number) => void
}

export interface CallOptions {
  token?: string | undefined
  body?: unknown
  /** Sent verbatim, in place of `body`. */
  raw?: string | Buffer
  headers?: Record<string, string>
  /** Ends a stream of events at its head, which would stay open; its text is empty. */
  isHeadOnly?: boolean
}

export interface Answer {
  status: number
  headers: Headers
  /** Parsed if it is JSON, else null. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  body: any
  text: string
}

const mailTimeoutMs = 40_000

/** What the database knows about mails to an address that have not arrived. */
const whereMailIs = `select state, attempts, reply, next_attempt_at - now() as due_in, leased_at,
    now() - d.created_at as age, c.status as mailbox, c.paused_until
  from deliveries d join email_configs c on c.id = d.config_id where recipient = $1`

interface TestServerOptions {
  libraryFile?: string
  database?: TestDatabase
  clientLimits?: Partial<ClientLimits>
  trackingNetwork?: TrackingNetwork
}

/** A test server for all tests of the file that calls this first; it stops at the file's end. */
export async function useServer(...given: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...given)
  afterAll(() => server[Symbol.asyncDispose]())
  return server
}

/** Leaves neither folder nor database behind when the start fails. */
export async function startTestServer(
  environment: Record<string, string> = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const folder = await mkdtemp(join(baseFolder, `sendwright server ${process.pid} `))
  try {
    return await startIn(folder, database, environment, options)
  } catch (error) {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function startIn(
  folder: string,
  database: TestDatabase,
  environment: Record<string, string>,
  { libraryFile = 'no library', ...given }: TestServerOptions,
): Promise<TestServer> {
  let logged = ''
  let offsetMs = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString()
      done()
    },
  })
  const settings = readSettings(
    { PORT: '0', DATABASE_URL: database.url, DATA_DIR: folder, ...environment },
    folder,
    false,
  )
  await ensurePage()
  const server = await startServer(settings, {
    log: createLogger('debug', sink),
    errorOutput: sink,
    version: '0.0.0',
    now: () => new Date(Date.now() + offsetMs),
    tickMs: () => performance.now() + offsetMs,
    newId: createNewId(),
    randomBytes: (count) => randomBytes(count),
    random: () => 0.5,
    libraryFile,
    ...(given.clientLimits && { clientLimits: given.clientLimits }),
    ...(given.trackingNetwork && { trackingNetwork: given.trackingNetwork }),
    signal: new AbortController().signal,
  })
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  pool.on('error', () => undefined) // Tests that stop the database do not query it again.
  const vault = await openVault(pool, settings.secretKeyFile)

  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const hasBody = options.body !== undefined || options.raw !== undefined
    const response = await fetch(server.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
      ...(hasBody && { body: (options.raw as string | undefined) ?? JSON.stringify(options.body) }),
    })
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
    if (isStream && options.isHeadOnly) await response.body?.cancel()
    const text = isStream && options.isHeadOnly ? '' : await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      text,
    }
  }

  return {
    url: server.url,
    server,
    database,
    folder,
    vault,
    logged: () => logged,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    call,
    async mailsTo(address, count = 1) {
      const giveUpAt = performance.now() + mailTimeoutMs
      for (;;) {
        const { body } = await call('GET', `/sandbox/messages?to=${encodeURIComponent(address)}`)
        const mails = body as SandboxMessage[]
        if (mails.length >= count) return mails
        if (performance.now() > giveUpAt) {
          const { rows } = await pool.query(whereMailIs, [address])
          const lines = logged.split('\n').slice(-30).join('\n')
          throw new Error(`${mails.length} of ${count} mails arrived: ${JSON.stringify(rows)}\n${lines}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    advance: (ms) => (offsetMs += ms),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await pool.end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Calls need no dashboard; without a build an empty page replaces it. */
async function ensurePage(): Promise<void> {
  const folder = new URL('../../dist/dashboard/', import.meta.url)
  if (existsSync(new URL('pages.json', folder))) return
  await mkdir(new URL('assets/', folder), { recursive: true })
  const page = { file: 'page.html', isListed: true }
  const paths = ['/', '/login', '/dashboard/send_email']
  const built: BuiltPages = {
    pages: paths.map((path) => ({ path, ...page })),
    notFoundFile: 'page.html',
    fixedFiles: { '/favicon.ico': 'page.html' },
  }
  const text = '<!doctype html><meta name="sendwright-hosted-key" content="" /><title>Sendwright</title>'
  await writeFile(new URL('page.html', folder), text)
  await writeFile(new URL('pages.json', folder), JSON.stringify(built))
}

/** The token of the confirmation link in a mail. */
export function tokenIn(mail: SandboxMessage): string {
  const token = /\/email_confirm\/(cf_[\w-]+)/.exec(mail.html ?? '')?.[1]
  if (token === undefined) throw new Error('The mail contains no confirmation link.')
  return token
}
