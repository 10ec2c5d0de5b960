import { createHash } from 'node:crypto'
import { AppError } from '../../../contract/core/errors.ts'

interface Ports {
  attempts: {
    take: (key: Buffer, limit: { count: number; windowSeconds: number }) => Promise<number | null>
    giveBack: (key: Buffer) => Promise<void>
    forget: (key: Buffer) => Promise<void>
  }
}

/** What is counted: who tries what, and how often within how long. */
export interface AttemptLimit {
  what: readonly string[]
  count: number
  windowSeconds: number
}

/** Counts attempts and refuses those that are too many. */
export interface LimitAttempts {
  /** Counts one attempt under each limit. Throws `too_many_attempts` with the longest wait. */
  take: (limits: readonly AttemptLimit[]) => Promise<void>
  /** Takes one attempt back: it was none of those that are limited. */
  giveBack: (what: readonly string[]) => Promise<void>
  /** Resets the count after a success. */
  forget: (what: readonly string[]) => Promise<void>
}

/** Attempts are stored under hashes, so that the rows contain no address. */
export function createLimitAttempts({ attempts }: Ports): LimitAttempts {
  const keyOf = (what: readonly string[]) => createHash('sha256').update(JSON.stringify(what)).digest()
  return {
    async take(limits) {
      const waits = await Promise.all(limits.map(({ what, ...limit }) => attempts.take(keyOf(what), limit)))
      const waitMs = Math.max(...waits.map((wait) => wait ?? 0))
      if (waitMs > 0) throw new AppError('too_many_attempts', { retryAfterMs: waitMs })
    },
    giveBack: (what) => attempts.giveBack(keyOf(what)),
    forget: (what) => attempts.forget(keyOf(what)),
  }
}
