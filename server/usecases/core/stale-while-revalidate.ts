import { LRUCache } from 'lru-cache'

/** A value that takes a query to read, and what has been added to it since. */
export interface CachedValue<T> {
  value: Promise<T>
  addedCount: number
}

interface Kept<T> extends CachedValue<T> {
  readAtMs: number
  freshMs: number
  isRenewing: boolean
}

/** A reading holds for so long, */
const freshMinMs = 2000
/** or, since a long queue takes long to read, for so many times as long as it took to read, */
const freshPerReadMs = 400
/** but not longer than this. */
const freshMaxMs = 8000
/** One this old still serves while the next is under way, so that nobody waits for it. */
const staleMaxMs = 10_000
const keptMaxCount = 10_000

/** Readings by key, each shared by the calls of a few seconds. A read that fails is not kept: whoever waits for it hears of it. */
export function createStaleWhileRevalidate<T>(read: (key: string) => Promise<T>, tickMs: () => number) {
  const kept = new LRUCache<string, Kept<T>>({ max: keptMaxCount })

  const load = (key: string): Kept<T> => {
    const readAtMs = tickMs()
    const value = read(key)
    const reading = { value, addedCount: 0, readAtMs, freshMs: freshMinMs, isRenewing: false }
    const note = () => {
      reading.freshMs = Math.min(Math.max(freshMinMs, (tickMs() - readAtMs) * freshPerReadMs), freshMaxMs)
    }
    value.then(note, () => undefined) // Whoever waits for it hears of a failure.
    return reading
  }

  /** Keeps the next reading once it is there; until then the one before goes on. */
  const renew = async (key: string, known: Kept<T>) => {
    known.isRenewing = true
    const next = load(key)
    const addedBefore = known.addedCount
    try {
      await next.value
      // What was added meanwhile may be in it or not: rather too many than too few.
      next.addedCount = known.addedCount - addedBefore
      kept.set(key, next)
    } catch {
      known.isRenewing = false // Whoever comes when it serves no longer hears of it.
    }
  }

  return {
    get(key: string): CachedValue<T> {
      const known = kept.get(key)
      const ageMs = known ? tickMs() - known.readAtMs : Infinity
      if (known && ageMs < staleMaxMs) {
        if (ageMs >= known.freshMs && !known.isRenewing) void renew(key, known)
        return known
      }
      const reading = load(key)
      kept.set(key, reading)
      reading.value.catch(() => kept.delete(key))
      return reading
    },
    /** The one that serves, if there is one: nothing is read for it. */
    peek: (key: string): CachedValue<T> | undefined => kept.get(key),
  }
}
