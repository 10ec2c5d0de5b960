const claimMinCount = 5
const claimMaxCount = 1000
/** What is in hand is what is sent in about this long, so that a stop is heard soon and others find something to claim. */
const targetMs = 250

/** How much a lane claims at once: as much as its mail server takes in a short while. */
export class AdaptiveClaimSize {
  /** For the next claim. */
  limit = claimMinCount
  readonly #tickMs: () => number
  #sinceMs: number

  constructor(tickMs: () => number) {
    this.#tickMs = tickMs
    this.#sinceMs = tickMs()
  }

  /** When no more than so many wait, it is time for the next claim: a claim takes about as long as sending its rows. */
  get refillThreshold(): number {
    return this.limit
  }

  claimed(count: number): void {
    if (count < this.limit) this.#sinceMs = this.#tickMs()
  }

  /** So many were sent since the last time this was called, or since there was nothing to do. */
  sent(count: number): void {
    const nowMs = this.#tickMs()
    const perMs = count / Math.max(1, nowMs - this.#sinceMs)
    this.#sinceMs = nowMs
    const wanted = Math.round(perMs * targetMs)
    this.limit = Math.max(claimMinCount, Math.min(wanted, 2 * this.limit, claimMaxCount))
  }
}
