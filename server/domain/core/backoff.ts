/** Limits of an exponential back-off, in ms. */
export interface BackoffLimits {
  minMs: number
  maxMs: number
}

/** The next delay: twice the previous one, within the limits. `previousMs` is 0 before the first failure. */
export function nextBackoffMs(previousMs: number, { minMs, maxMs }: BackoffLimits): number {
  return Math.min(Math.max(2 * previousMs, minMs), maxMs)
}
