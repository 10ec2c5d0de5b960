import { describe, expect, it } from 'vitest'
import { createCoalescer, type Coalesced } from './coalesce.ts'

/** A coalescer whose runs end when told; each run is noted. */
function coalescer(given: Partial<Coalesced<number, number>> = {}) {
  const runs: { items: readonly number[]; end: PromiseWithResolvers<undefined> }[] = []
  const call = createCoalescer<number, number>({
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

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('a coalescer', () => {
  it('starts a lone call at once', async () => {
    const { runs, call } = coalescer()
    const answer = call(7)
    await nextTurn()
    runs[0]?.end.resolve(undefined)
    expect(await answer).toBe(70)
  })

  it('gathers what comes during a run into the next, and answers each with its own', async () => {
    const { runs, call } = coalescer()
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

  it('takes at most so many items into a run', async () => {
    const { runs, call } = coalescer({ maxCount: 2, maxRuns: 9 })
    for (const item of [1, 2, 3, 4, 5]) void call(item)
    await nextTurn()
    expect(runs.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]])
  })

  it('takes items until their weight is full, and one that is too heavy alone', async () => {
    const { runs, call } = coalescer({ maxWeight: 10, weigh: (item) => item, maxRuns: 9 })
    for (const item of [4, 5, 6, 30, 1]) void call(item)
    await nextTurn()
    expect(runs.map(({ items }) => items)).toEqual([[4, 5], [6], [30], [1]])
  })

  it('fails only the item whose fault it is', async () => {
    const { call } = coalescer({
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

  it('fails all of a run whose fault lies elsewhere, without a second try, and goes on with the next', async () => {
    let runCount = 0
    const { call } = coalescer({
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
})
