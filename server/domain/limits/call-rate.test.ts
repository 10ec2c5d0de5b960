import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallRate } from './call-rate.ts'

describe('the call rate limit', () => {
  it('allows a burst of two seconds, then returns the delay', () => {
    let nowMs = 0
    const rate = createCallRate(10, () => nowMs)
    expect(Array.from({ length: 20 }, () => rate.take('a'))).toEqual(Array.from({ length: 20 }, () => 0))
    expect(rate.take('a')).toBe(100)
    nowMs += 90
    expect(rate.take('a')).toBeGreaterThan(0)
    nowMs += 11
    expect(rate.take('a')).toBe(0)
    expect(rate.take('a')).toBeGreaterThan(90)
  })

  it('counts each caller separately, and evicts the least recent one', () => {
    const rate = createCallRate(1, () => 0)
    expect([rate.take('a'), rate.take('a'), rate.take('a')]).toEqual([0, 0, 1000])
    expect(rate.take('b')).toBe(0)
    for (let at = 0; at < 10_000; at++) rate.take(`c${at}`)
    expect(rate.take('a')).toBe(0)
  })

  it('remembers 10,000 callers', () => {
    for (const [others, isForgotten] of [
      [9999, false],
      [10_000, true],
    ] as const) {
      const rate = createCallRate(1, () => 0)
      expect([rate.take('a'), rate.take('a')]).toEqual([0, 0])
      for (let at = 0; at < others; at++) rate.take(`c${at}`)
      expect(rate.take('a') === 0).toBe(isForgotten)
    }
  })

  it('without a limit allows every call', () => {
    const rate = createCallRate(null, () => 0)
    expect(Array.from({ length: 1000 }, () => rate.take('a')).every((waitMs) => waitMs === 0)).toBe(true)
  })

  it('never exceeds the rate and one burst, for any sequence of calls', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 }), (gapsMs) => {
        let nowMs = 0
        const rate = createCallRate(10, () => nowMs)
        let passedCount = 0
        for (const gapMs of gapsMs) {
          nowMs += gapMs
          if (rate.take('a') === 0) passedCount += 1
          expect(passedCount).toBeLessThanOrEqual(20 + nowMs / 100)
        }
      }),
    )
  })
})
