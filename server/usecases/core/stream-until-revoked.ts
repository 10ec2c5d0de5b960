import { setTimeout as sleep } from 'node:timers/promises'

/** Between two looks: what is revoked ends within a second. */
const lookMs = 500

/** Hands things on as they come, until who reads them may no longer. */
export async function* streamUntilRevoked<T>(
  events: AsyncGenerator<T>,
  isLive: () => Promise<boolean>,
): AsyncGenerator<T> {
  try {
    for (let next = events.next(); ;) {
      const got = await Promise.race([next, sleep(lookMs, null)])
      if (got?.done === true || !(await isLive())) return
      if (got === null) continue
      yield got.value
      next = events.next()
    }
  } finally {
    void events.return(undefined)
  }
}
