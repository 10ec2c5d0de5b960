import { setTimeout as sleep } from 'node:timers/promises'

/** Interval of the checks: a stream ends within a second of the revocation. */
const checkMs = 500

/** Passes events on until the reader's access is revoked. */
export async function* streamUntilRevoked<T>(
  events: AsyncGenerator<T>,
  isLive: () => Promise<boolean>,
): AsyncGenerator<T> {
  try {
    for (let next = events.next(); ;) {
      const got = await Promise.race([next, sleep(checkMs, null)])
      if (got?.done === true || !(await isLive())) return
      if (got === null) continue
      yield got.value
      next = events.next()
    }
  } finally {
    void events.return(undefined)
  }
}
