import { setTimeout as sleep } from 'node:timers/promises'
import { createLiveHub } from './live-hub.ts'

/** Shortest time between two values, and the time without a notification after which figures are read nevertheless. */
const restMs = 500
const pollMs = 1000
/** Lifetime of a stream; clients reconnect. */
const lifeMs = 15 * 60_000
/** So many times the duration of a read passes before the next: after a notification, and without one. */
const restPerRead = 4
const restPerPoll = 20

interface Ports {
  /** Called with the first stream; has to report the workspaces whose figures change, null if it may have missed some. */
  listen: (onWorkspace: (workspaceId: string | null) => void) => void
  tickMs: () => number
}

/** A value and a text that changes with it. */
export interface Version<T> {
  version: string
  /** Null if the version is the one that the stream has. */
  value: T | null
}

export type LiveStreams = ReturnType<typeof createLiveStreams>

/** Streams of figures: the value now and after each change. */
export function createLiveStreams({ listen, tickMs }: Ports) {
  const hub = createLiveHub(listen)
  const closing = new AbortController()

  async function* follow<T>(
    workspaceId: string,
    first: Version<T>,
    read: (shown: string | null) => Promise<Version<T>>,
    unnotifiedMs: number,
  ): AsyncGenerator<T> {
    const changes = hub.watch(workspaceId)
    try {
      let shown = first.version
      if (first.value !== null) yield first.value
      // Read again at once: a change before the watch is not reported.
      let pollAfterMs = 0
      for (const endsAtMs = tickMs() + lifeMs; tickMs() < endsAtMs;) {
        await changes.next(pollAfterMs)
        if (closing.signal.aborted) return
        const startedMs = tickMs()
        const { version, value } = await read(shown)
        shown = version
        if (value !== null) yield value
        const tookMs = tickMs() - startedMs
        pollAfterMs = Math.max(unnotifiedMs, restPerPoll * tookMs)
        const waitMs = Math.max(restMs, restPerRead * tookMs)
        await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined) // Rejects when the server stops.
      }
    } finally {
      changes.close()
    }
  }

  return {
    /**
     * `read` gets the version that was sent last, and is called after each notification, and after `unnotifiedMs` without one.
     * Throws what its first call throws.
     */
    async stream<T>(
      workspaceId: string,
      read: (shown: string | null) => Promise<Version<T>>,
      { unnotifiedMs = pollMs } = {},
    ): Promise<AsyncGenerator<T>> {
      return follow(workspaceId, await read(null), read, unnotifiedMs)
    },

    /** Ends all streams: the server stops. */
    close(): void {
      closing.abort()
      hub.close()
    },
  }
}
