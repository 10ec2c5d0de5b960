import { pino } from 'pino'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { EmbeddedPostgresError } from './store/embedded/errors.ts'
import { DataFolderError } from './store/data-folder-lock.ts'
import { KeyRingError } from './store/key-ring.ts'
import { startServer, type RunningServer } from './server.ts'
import { readSettings, StartError } from './settings.ts'

/** Signals that come within this time are one: a terminal's Ctrl+C reaches every process, and npm passes it on besides. */
const repeatMs = 1000

const speak = (text: string) => process.stdout.write(`${text}\n`)

try {
  const settings = readSettings(process.env, process.cwd(), process.stderr.isTTY)
  const log = pino({ level: settings.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
  const server = await startServer(settings, {
    log,
    now: () => new Date(),
    newId: () => randomUUID(),
    randomBytes,
    // Between 0 and 1, for spreading retries; nothing secret hangs on it.
    random: () => randomInt(2 ** 32) / 2 ** 32,
  })
  speak(welcome(server))
  stopOnSignals(server)
} catch (error) {
  if (!isExplained(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** Errors whose message is one sentence for the person at the terminal. */
function isExplained(error: unknown): error is Error {
  return [StartError, KeyRingError, DataFolderError, EmbeddedPostgresError].some((kind) => error instanceof kind)
}

function welcome({ url, demo }: RunningServer): string {
  if (demo === null) return `\nSendwright is ready at ${url}\n`
  const body = JSON.stringify({
    recipient_list: ['you@example.com'],
    subject: 'Hello {{name}}',
    content: 'It works, {{name}}.',
    context: { name: 'world' },
  })
  return `
Sendwright is ready at ${url}

Next, sign in at ${url}/login
  email     ${demo.email}
  password  ${demo.password}

or send a mail from here:
  curl -X POST ${url}/api/send-mail/${demo.secretKey} -H 'content-type: application/json' -d '${body}'

and read it at ${url}/sandbox
Ctrl+C stops everything.
`
}

function stopOnSignals(server: RunningServer): void {
  let stoppingSince: number | null = null
  const stop = () => {
    const now = performance.now()
    if (stoppingSince === null) {
      stoppingSince = now
      void server.stop().then(() => process.exit(0))
    } else if (now - stoppingSince > repeatMs) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  // Whoever started this process is gone: without it nobody would stop us.
  if (process.channel) process.on('disconnect', stop)
}
