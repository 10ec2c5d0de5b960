import { setTimeout as sleep } from 'node:timers/promises'
import { nextBackoffMs } from '../domain/core/backoff.ts'

interface Ports {
  isRunning: () => Promise<boolean>
  restart: () => Promise<void>
  /** A restart failed and is retried after `waitMs`. */
  onFailure: (error: unknown, waitMs: number) => void
}

const checkIntervalMs = 500
const backoff = { minMs: 1000, maxMs: 30_000 }

/**
 * Monitors a server and restarts it when it has ended. Returns a function that stops this and resolves when no restart is
 * in progress.
 */
export function keepRunning({ isRunning, restart, onFailure }: Ports): () => Promise<void> {
  const over = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined) // Stopped.
  const keep = async () => {
    let waitMs = 0
    for (;;) {
      await pause(checkIntervalMs)
      if (over.signal.aborted) return
      try {
        if (!(await isRunning())) await restart()
        waitMs = 0
      } catch (error) {
        waitMs = nextBackoffMs(waitMs, backoff)
        onFailure(error, waitMs)
        await pause(waitMs)
      }
    }
  }
  const keeping = keep()
  return () => {
    over.abort()
    return keeping
  }
}
