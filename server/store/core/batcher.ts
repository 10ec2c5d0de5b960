/** Work that can be done for many items at once. */
export interface BatcherOptions<T, R> {
  /** Does the work for all items or, if it throws, for none. Returns results in the order of the items. */
  run: (items: readonly T[]) => Promise<readonly R[]>
  /** Maximum number of items per run. */
  maxCount: number
  /** Weight of one item, such as its bytes; a run takes items until `maxWeight`, and always one. */
  weigh?: (item: T) => number
  maxWeight?: number
  /** Maximum number of concurrent runs. */
  maxRuns: number
  /** Whether a failed run may be repeated item by item, so that one bad item fails alone. */
  isItemsFault: (error: unknown) => boolean
}

interface Waiting<T, R> {
  item: T
  resolve: (result: R) => void
  reject: (error: unknown) => void
}

/**
 * Under load a run takes about a third of the callers, so that the process handles some callers while the work runs for
 * others.
 */
const batchFraction = 1 / 3
/** Below this number of callers, a run does not wait. */
const fractionMinCount = 16
/** How long a run waits for more items, in ms. */
const maxDelayMs = 1

/**
 * Collects calls that arrive during a run into the next one: under load they share a commit; a single call does not
 * wait. Each call resolves after the run with its item.
 */
export function createBatcher<T, R>({
  run,
  maxCount,
  weigh = () => 0,
  maxWeight = Infinity,
  maxRuns,
  isItemsFault,
}: BatcherOptions<T, R>): (item: T) => Promise<R> {
  const queue: Waiting<T, R>[] = []
  let runCount = 0
  let isScheduled = false
  /** Number of items that the next run waits for; 1: it starts with those of this turn. */
  let wantedCount = 1
  let delayTimer: NodeJS.Timeout | undefined

  const take = (): Waiting<T, R>[] => {
    let weight = 0
    const end = queue.slice(0, maxCount).findIndex(({ item }, index) => {
      weight += weigh(item)
      return index > 0 && weight > maxWeight
    })
    return queue.splice(0, end === -1 ? maxCount : end)
  }

  /** Does the work; returns the function that resolves the calls. */
  const work = async (batch: readonly Waiting<T, R>[]): Promise<() => void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      return () => batch.forEach(({ resolve }, index) => resolve(results[index] as R))
    } catch (error) {
      if (batch.length === 1 || !isItemsFault(error)) return () => batch.forEach(({ reject }) => reject(error))
      const answers: (() => void)[] = []
      for (const one of batch) answers.push(await work([one]))
      return () => answers.forEach((answer) => answer())
    }
  }

  const start = (): void => {
    isScheduled = false
    wantedCount = 1
    clearTimeout(delayTimer)
    delayTimer = undefined
    while (runCount < maxRuns && queue.length > 0) {
      runCount += 1
      const batch = take()
      void work(batch).then((answer) => {
        runCount -= 1
        const knownCount = batch.length + queue.length
        wantedCount = knownCount < fractionMinCount ? 1 : Math.ceil(knownCount * batchFraction)
        // Starts the next run before these calls resolve.
        schedule()
        answer()
      })
    }
  }

  const schedule = (): void => {
    if (runCount >= maxRuns || queue.length === 0) return
    if (wantedCount > 1) {
      if (queue.length >= wantedCount) start()
      else delayTimer ??= setTimeout(start, maxDelayMs)
    } else if (!isScheduled) {
      isScheduled = true
      setImmediate(start) // After the input of this turn was read, so that what arrived together goes together.
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
}
