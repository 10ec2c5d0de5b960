import { randomBytes, randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { pino } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { createNewId } from './domain/core/id.ts'
import { createLogger } from './logger.ts'
import { startServer, type RunningServer, type Surroundings } from './server.ts'
import { readSettings, StartError } from './settings.ts'
import { startWorker } from './worker.ts'
import { DataFolderError } from './postgres/data-folder-lock.ts'
import { EmbeddedPostgresError } from './postgres/errors.ts'
import { KeyRingError } from './store/vault/key-ring.ts'
import { SchemaError } from './store/core/migrate.ts'

// With many calls waiting for one write, V8 promotes their objects to the old generation, which is collected rarely
// (docs/decisions/0029).
setFlagsFromString('--no-allocation-site-pretenuring')

/** Signals within this time count as one: a terminal's Ctrl+C reaches every process, and npm forwards it as well. */
const repeatMs = 1000

const starting = new AbortController()
/** `worker`: sends, and serves no HTTP. */
const isWorker = process.argv[2] === 'worker'
let running: { stop: () => Promise<void> } | null = null
let stoppingSince: number | null = null

function stop(): void {
  const now = performance.now()
  if (stoppingSince !== null) {
    if (now - stoppingSince > repeatMs) process.exit(1)
    return
  }
  stoppingSince = now
  starting.abort()
  void running?.stop().then(() => process.exit(0))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// The parent process has exited: no other process would stop this one.
if (process.channel) process.on('disconnect', stop)

try {
  const settings = readSettings(process.env, process.cwd(), process.stderr.isTTY)
  const log = createLogger(settings.logLevel, pino.destination({ dest: 2, sync: true }))
  const world: Surroundings = {
    log,
    version: packageJson.version,
    now: () => new Date(),
    tickMs: () => performance.now(),
    newId: createNewId(),
    randomBytes: (count) => randomBytes(count),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    libraryFile: fileURLToPath(new URL('../dist/library/index.json', import.meta.url)),
    signal: starting.signal,
  }
  if (isWorker) {
    const worker = await startWorker(settings, world)
    running = worker
    const metrics = worker.metricsPort === null ? '' : `/metrics is on port ${worker.metricsPort}.\n`
    process.stdout.write(`\nThe Sendwright worker is ready.\n${metrics}Ctrl+C stops it.\n`)
  } else {
    const server = await startServer(settings, world)
    running = server
    process.stdout.write(welcome(server))
  }
} catch (error) {
  if (starting.signal.aborted) process.exit(0)
  if (!isExplained(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

/** Errors whose message is one sentence for the operator. */
function isExplained(error: unknown): error is Error {
  return [StartError, KeyRingError, DataFolderError, EmbeddedPostgresError, SchemaError].some(
    (kind) => error instanceof kind,
  )
}

function welcome({ url, demo }: RunningServer): string {
  if (demo === null) return `\nSendwright is ready at ${url}\nCtrl+C stops everything.\n`
  const body = JSON.stringify({
    recipient_list: ['you@example.com'],
    subject: 'Hello {{name}}',
    content: 'It works, {{name}}.',
    context: { name: 'world' },
  })
  return `
Sendwright is ready at ${url}

Sign in at ${url}/login
  email     ${demo.email}
  password  ${demo.password}

or send a mail from here:
  curl ${url}/api/send-mail/${demo.secretKey} -H 'content-type: application/json' -d '${body}'

and read it at ${url}/sandbox
Ctrl+C stops everything.
`
}
