import { setTimeout as sleep } from 'node:timers/promises'

interface Ports {
  isRunning: () => Promise<boolean>
  restart: () => Promise<void>
  /** It could not be started again, and is tried again after a while. */
  onFailure: (error: unknown, waitMs: number) => void
}

const checkIntervalMs = 500
const waitMinMs = 1000
const waitMaxMs = 30_000

/**
 * Looks whether something runs and starts it again where it has died. Gives its undo, which resolves when nothing is being
 * started any more.
 */
export function keepRunning({ isRunning, restart, onFailure }: Ports): () => Promise<void> {
  const over = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined) // The end.
  const keep = async () => {
    let waitMs = waitMinMs
    for (;;) {
      await pause(checkIntervalMs)
      if (over.signal.aborted) return
      try {
        if (!(await isRunning())) await restart()
        waitMs = waitMinMs
      } catch (error) {
        onFailure(error, waitMs)
        await pause(waitMs)
        waitMs = Math.min(2 * waitMs, waitMaxMs)
      }
    }
  }
  const keeping = keep()
  return () => {
    over.abort()
    return keeping
  }
}
