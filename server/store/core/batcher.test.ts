import { describe, expect, it } from 'vitest'
import { createBatcher, type BatcherOptions } from './batcher.ts'

/** A batcher whose runs end on command; each run is recorded. */
function testBatcher(given: Partial<BatcherOptions<number, number>> = {}) {
  const runs: { items: readonly number[]; end: PromiseWithResolvers<undefined> }[] = []
  const call = createBatcher<number, number>({
    maxCount: 100,
    maxRuns: 1,
    isItemsFault: () => false,
    run: async (items) => {
      const end = Promise.withResolvers<undefined>()
      runs.push({ items, end })
      await end.promise
      return items.map((item) => item * 10)
    },
    ...given,
  })
  return { runs, call }
}

/** A batcher whose second run has sixty items; `answers` are theirs. */
async function underLoad() {
  const { runs, call } = testBatcher()
  void call(0)
  await nextTurn()
  const answers = Array.from({ length: 60 }, (_, item) => call(item))
  runs[0]!.end.resolve(undefined)
  await expect.poll(() => runs.length).toBe(2)
  return { runs, call, answers, end: (at: number) => runs[at]!.end.resolve(undefined) }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('a batcher', () => {
  it('runs a single call at once', async () => {
    const { runs, call } = testBatcher()
    const answer = call(7)
    await nextTurn()
    runs[0]?.end.resolve(undefined)
    expect(await answer).toBe(70)
  })

  it('collects calls during a run into the next, and resolves each with its result', async () => {
    const { runs, call } = testBatcher()
    const first = call(1)
    await nextTurn()
    const later = Promise.all([call(2), call(3), call(4)])
    await nextTurn()
    expect(runs.map(({ items }) => items)).toEqual([[1]])
    runs[0]?.end.resolve(undefined)
    await first
    await expect.poll(() => runs.map(({ items }) => items)).toEqual([[1], [2, 3, 4]])
    runs[1]?.end.resolve(undefined)
    expect(await later).toEqual([20, 30, 40])
  })

  it('limits the items of a run', async () => {
    const { runs, call } = testBatcher({ maxCount: 2, maxRuns: 9 })
    for (const item of [1, 2, 3, 4, 5]) void call(item)
    await nextTurn()
    expect(runs.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]])
  })

  it('takes items up to the maximum weight, and one item that alone exceeds it', async () => {
    const { runs, call } = testBatcher({ maxWeight: 10, weigh: (item) => item, maxRuns: 9 })
    for (const item of [4, 5, 6, 30, 1]) void call(item)
    await nextTurn()
    expect(runs.map(({ items }) => items)).toEqual([[4, 5], [6], [30], [1]])
  })

  it('fails only the item that caused the error', async () => {
    const { call } = testBatcher({
      isItemsFault: () => true,
      run: (items) =>
        items.includes(13) ? Promise.reject(new Error('unlucky')) : Promise.resolve(items.map((item) => item * 10)),
    })
    const answers = await Promise.allSettled([call(1), call(13), call(2)])
    expect(answers).toEqual([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: new Error('unlucky') },
      { status: 'fulfilled', value: 20 },
    ])
  })

  it('fails the whole run for another error, without a retry, and continues with the next', async () => {
    let runCount = 0
    const { call } = testBatcher({
      run: (items) => {
        runCount += 1
        return runCount === 1 ? Promise.reject(new Error('connection lost')) : Promise.resolve(items)
      },
    })
    const answers = await Promise.allSettled([call(1), call(2)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(runCount).toBe(1)
    expect(await call(3)).toBe(3)
  })

  it('starts the next run before it resolves the calls of the last one if a third of all is waiting', async () => {
    const { runs, call, answers, end } = await underLoad()
    const begun = answers.map((answer) => answer.then(() => runs.length))
    for (let item = 0; item < 30; item += 1) void call(item)
    end(1)
    expect(new Set(await Promise.all(begun))).toEqual(new Set([3]))
    expect(runs[2]!.items).toHaveLength(30)
  })

  it('starts it as soon as a third of the callers has called again', async () => {
    const { runs, call, end } = await underLoad()
    end(1)
    await nextTurn()
    for (let item = 0; item < 40; item += 1) void call(item)
    // Of 40 in one turn, twenty run before the others arrive.
    expect(runs.map(({ items }) => items.length)).toEqual([1, 60, 20])
  })

  it('waits for a third for a short time only', async () => {
    const { runs, call, end } = await underLoad()
    end(1)
    await nextTurn()
    const answer = call(5)
    await expect.poll(() => runs.length).toBe(3)
    end(2)
    expect(await answer).toBe(50)
  })
})
