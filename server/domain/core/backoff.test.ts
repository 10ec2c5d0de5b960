import { expect, it } from 'vitest'
import { nextBackoffMs } from './backoff.ts'

it('doubles the delay from the minimum to the maximum', () => {
  const limits = { minMs: 100, maxMs: 1000 }
  const delays = [0, 100, 200, 400, 800, 1000].map((previousMs) => nextBackoffMs(previousMs, limits))
  expect(delays).toEqual([100, 200, 400, 800, 1000, 1000])
})
