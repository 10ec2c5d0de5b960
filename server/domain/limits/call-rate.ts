import { LRUCache } from 'lru-cache'

/** Rate limit of calls: a number per second, with a burst of two seconds. */
export interface CallRate {
  /** Counts one call: 0 where it may go on, else how long to wait, in ms. */
  take: (caller: string) => number
}

/** Callers that are remembered; who is forgotten has not called for long. */
const callersMaxCount = 10_000
const burstSeconds = 2

/** Counts in this process only. `tickMs` never goes back. `perSecond` null: without a limit. */
export function createCallRate(perSecond: number | null, tickMs: () => number): CallRate {
  if (perSecond === null) return { take: () => 0 }
  const callers = new LRUCache<string, { left: number; atMs: number }>({ max: callersMaxCount })
  const burst = burstSeconds * perSecond
  return {
    take(caller) {
      const nowMs = tickMs()
      const known = callers.get(caller) ?? { left: burst, atMs: nowMs }
      const left = Math.min(burst, known.left + ((nowMs - known.atMs) / 1000) * perSecond)
      const isAllowed = left >= 1
      callers.set(caller, { left: isAllowed ? left - 1 : left, atMs: nowMs })
      return isAllowed ? 0 : Math.ceil(((1 - left) / perSecond) * 1000)
    },
  }
}
