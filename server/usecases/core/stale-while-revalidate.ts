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

/** Minimum time for which a value is fresh. */
const freshMinMs = 2000
/** Fresh time per time that the read took, since a long queue takes long to read. */
const freshPerReadMs = 400
/** Maximum time for which a value is fresh. */
const freshMaxMs = 8000
/** Maximum age at which a stale value is returned while it is revalidated. */
const staleMaxMs = 10_000
const keptMaxCount = 10_000

/** Values by key, each shared by the calls of a few seconds. A failed read is not cached; its callers get the error. */
export function createStaleWhileRevalidate<T>(read: (key: string) => Promise<T>, tickMs: () => number) {
  const kept = new LRUCache<string, Kept<T>>({ max: keptMaxCount })

  const load = (key: string): Kept<T> => {
    const readAtMs = tickMs()
    const value = read(key)
    const reading = { value, addedCount: 0, readAtMs, freshMs: freshMinMs, isRenewing: false }
    const note = () => {
      reading.freshMs = Math.min(Math.max(freshMinMs, (tickMs() - readAtMs) * freshPerReadMs), freshMaxMs)
    }
    value.then(note, () => undefined) // Its callers get the error.
    return reading
  }

  /** Keeps the next reading once it is there; until then the one before goes on. */
  const renew = async (key: string, known: Kept<T>) => {
    known.isRenewing = true
    const next = load(key)
    const addedBefore = known.addedCount
    try {
      await next.value
      // The new value may or may not include what was added meanwhile: prefer a count that is too high.
      next.addedCount = known.addedCount - addedBefore
      kept.set(key, next)
    } catch {
      known.isRenewing = false // The stale value is returned until it expires; the next read reports the error.
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
    /** The cached value, if there is one; reads nothing. */
    peek: (key: string): CachedValue<T> | undefined => kept.get(key),
  }
}
