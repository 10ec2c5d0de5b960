import type { Logger } from 'pino'
import type { HostedParts } from './http/core/app.ts'
import type { Realtime } from './http/hosted/realtime.ts'
import { createRelayedSource } from './http/hosted/realtime-relay.ts'
import { createOwnSource } from './http/hosted/realtime-source.ts'
import { isLoopbackHost, type Settings } from './settings.ts'
import type { HostedSignal } from './store/hosted/hosted-channel.ts'
import type { Stores } from './stores.ts'
import type { UseCases } from './use-cases.ts'
import { createCollectionFeed } from './usecases/hosted/watch-collection.ts'

interface Parts {
  settings: Pick<Settings, 'hosted'>
  publicUrl: string
  stores: Stores
  useCases: Pick<UseCases, 'authenticateHosted'>
  log: Logger
}

/** The hosted data backend of a process. */
export interface Hosted {
  parts: HostedParts
  /** Listens to the other processes and cleans up now and then. Gives its undo. */
  start: (realtime: Realtime) => () => Promise<void>
}

const pruneEveryMs = 10 * 60_000

/** Puts the hosted data backend together: this server's own, or another deployment's that is passed on. */
export function composeHosted({ settings, publicUrl, stores, useCases, log }: Parts): Hosted {
  const { changes, keys, listen, pageKey } = stores.hosted
  const feed = createCollectionFeed({ changes, log })
  return {
    parts: {
      authenticate: useCases.authenticateHosted,
      source: settings.hosted === null ? createOwnSource(feed) : createRelayedSource(settings.hosted, log),
      upstream: settings.hosted,
      pageKey,
      origins: ownOrigins(publicUrl),
    },
    start(realtime) {
      const endRevoked = async () => {
        const ids = realtime.keyIds()
        if (ids.length > 0) realtime.endKeys(await keys.listRevoked(ids))
      }
      const unlisten = listen((signal: HostedSignal | null) => {
        if (signal === null) {
          feed.wake(null)
          // A websocket whose key was revoked meanwhile stays open until the next look.
          endRevoked().catch((error: unknown) => log.warn({ err: error }, 'Revoked keys could not be looked for'))
        } else if ('collection' in signal) feed.wake(signal.collection)
        else realtime.endKeys([signal.revokedKeyId])
      })
      const pruning = setInterval(() => {
        changes.prune().catch((error: unknown) => log.warn({ err: error }, 'Old changes could not be dropped'))
      }, pruneEveryMs).unref()
      return async () => {
        clearInterval(pruning)
        await unlisten()
      }
    },
  }
}

/** Where our own pages are opened from; a loopback address has several names. */
function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl)
  if (!isLoopbackHost(url.hostname)) return new Set([url.origin])
  const names = [url.hostname, 'localhost', '127.0.0.1', '[::1]']
  return new Set(names.map((name) => Object.assign(new URL(publicUrl), { hostname: name }).origin))
}
