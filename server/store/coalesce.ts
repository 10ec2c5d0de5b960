/** Work that costs little more for many than for one. */
export interface Coalesced<T, R> {
  /** Does the work for all, or for none: a throw means that nothing of it was done. Answers in the order of the items. */
  run: (items: readonly T[]) => Promise<readonly R[]>
  /** Most items of one run. */
  maxCount: number
  /** Weight of one item, such as its bytes; a run takes items until `maxWeight`, and always one. */
  weigh?: (item: T) => number
  maxWeight?: number
  /** Runs at the same time. */
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
 * Gathers calls that come while a run is under way into the next one: under load a commit is shared, and a lone call waits
 * for nobody. Each call is answered after the run that holds its item.
 */
export function createCoalescer<T, R>({
  run,
  maxCount,
  weigh = () => 0,
  maxWeight = Infinity,
  maxRuns,
  isItemsFault,
}: Coalesced<T, R>): (item: T) => Promise<R> {
  const queue: Waiting<T, R>[] = []
  let runCount = 0
  let isScheduled = false

  const take = (): Waiting<T, R>[] => {
    let weight = 0
    const end = queue.slice(0, maxCount).findIndex(({ item }, index) => {
      weight += weigh(item)
      return index > 0 && weight > maxWeight
    })
    return queue.splice(0, end === -1 ? maxCount : end)
  }

  const answer = async (batch: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R)
    } catch (error) {
      if (batch.length > 1 && isItemsFault(error)) for (const one of batch) await answer([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  const start = (): void => {
    isScheduled = false
    while (runCount < maxRuns && queue.length > 0) {
      runCount += 1
      void answer(take()).then(() => {
        runCount -= 1
        schedule()
      })
    }
  }

  // After the input of this turn was read, so that what arrived together goes together.
  const schedule = (): void => {
    if (isScheduled || runCount >= maxRuns || queue.length === 0) return
    isScheduled = true
    setImmediate(start)
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
}
