import { describe, expect, it } from 'vitest'
import { retryDelayMs } from './retry-schedule.ts'

const minuteMs = 60_000

describe('retryDelayMs', () => {
  it('waits 1, 5, 15, 30 minutes, 1, 2, 4 hours, and 4 hours from then on', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((attempts) => (retryDelayMs(attempts, 0.5) ?? NaN) / minuteMs)
    expect(minutes).toEqual([1, 5, 15, 30, 60, 120, 240, 240, 240])
  })

  it('varies each delay by up to a fifth', () => {
    expect(retryDelayMs(1, 0)).toBe(0.8 * minuteMs)
    expect(retryDelayMs(1, 0.999999)).toBeCloseTo(1.2 * minuteMs, -1)
  })

  it('ends when the delays would exceed 72 hours', () => {
    let restedMs = 0
    let attempts = 1
    for (let rest = retryDelayMs(attempts, 0.5); rest !== null; rest = retryDelayMs(attempts, 0.5)) {
      restedMs += rest
      attempts += 1
    }
    const hours = restedMs / (60 * minuteMs)
    expect(hours).toBeGreaterThan(68)
    expect(hours).toBeLessThanOrEqual(72)
    // Six shorter rests and 17 of four hours are 71 hours and 51 minutes.
    expect(hours).toBe(71.85)
    expect(retryDelayMs(23, 0.5)).toBe(4 * 60 * minuteMs)
    expect(retryDelayMs(24, 0.5)).toBeNull()
    expect(retryDelayMs(1000, 0.5)).toBeNull()
  })
})
