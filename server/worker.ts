import { setTimeout as sleep } from 'node:timers/promises'
import { startMetricsServer } from './http/operating/metrics-server.ts'
import { createOAuthClient } from './oidc/oauth-client.ts'
import { parseSystemSmtp } from './mailer/queue/mailbox.ts'
import { openParts } from './compose/core/open-parts.ts'
import { startDigests } from './compose/events.ts'
import { composeInboxReader } from './compose/inbox.ts'
import { composeSender } from './compose/core/sender.ts'
import type { Metrics } from './metrics.ts'
import type { Surroundings } from './server.ts'
import { StartError, type Settings } from './settings.ts'
import { lockDataFolder } from './postgres/data-folder-lock.ts'

/** A process that sends and serves no HTTP. */
export interface RunningWorker {
  /** The URL of /metrics; null if METRICS_PORT is not set. */
  metricsPort: number | null
  /** Completes requests in flight (25 s at most) and closes everything. */
  stop: () => Promise<void>
}

const graceMs = 25_000
const readyPollMs = 10
const digestAfterMs = 1000

/**
 * Starts a sender on a shared database: any number of them, each with a data folder of its own and the same key file.
 * A failed start leaves nothing running.
 */
export async function startWorker(settings: Settings, world: Surroundings): Promise<RunningWorker> {
  if (settings.databaseUrl === null) {
    throw new StartError(
      'A worker needs DATABASE_URL: the embedded database belongs to the server that runs it, which sends too.',
    )
  }
  await using undo = new AsyncDisposableStack()
  const { now, signal } = world
  const folder = await lockDataFolder(settings.dataDir)
  undo.defer(() => folder.release())
  const parts = await openParts(settings, folder, world, undo)
  const served = await serveMetrics(settings, parts.metrics)
  if (served) undo.defer(() => served.close())

  signal.throwIfAborted()
  // A worker redirects no browser to a provider.
  const oauth = createOAuthClient(settings.mailApplications, 'http://localhost/', () => now().getTime())
  const reader = composeInboxReader(parts, {
    oauth,
    imapPermissions: { allow: settings.imapAllow, sandboxPort: null },
    isSandboxElsewhere: true,
    random: world.random,
  })
  const sender = composeSender(parts, {
    dataDir: folder.path,
    publicUrl: settings.publicUrl,
    // A sandbox runs in a server's process, which sends to it.
    permissions: { allow: settings.smtpAllow, sandboxPort: null, isSandboxElsewhere: true },
    systemSmtp: settings.systemSmtpUrl ? parseSystemSmtp(settings.systemSmtpUrl) : null,
    oauth,
    // Callers that wait for a result are in another process, which polls.
    onOutcomesWritten: () => undefined,
    random: world.random,
  })
  undo.defer(() => sender.stop(0))
  sender.start()
  // Its thread sends: a server's process digests first, where one runs.
  undo.defer(startDigests(parts, { minAgeMs: digestAfterMs }))
  if (settings.readsInbox) {
    undo.defer(() => reader.stop())
    reader.start()
  }
  while (!sender.isReady()) await sleep(readyPollMs, undefined, { signal })

  const everything = undo.move()
  return {
    metricsPort: served?.port ?? null,
    async stop() {
      await sender.stop(graceMs)
      await everything.disposeAsync()
    },
  }
}

async function serveMetrics({ host, metricsPort: port, metricsToken: token }: Settings, metrics: Metrics) {
  if (port === null) return null
  try {
    return await startMetricsServer({ host, port }, { ...metrics, token })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'nothing'
    throw new StartError(`METRICS_PORT ${port} of HOST ${host} cannot be used (${code}); set it to one that is free.`, {
      cause: error,
    })
  }
}
