const claimMinCount = 5
const claimMaxCount = 1000
/** A claim covers about this much sending time: a stop takes effect soon, and other processes find rows to claim. */
const targetMs = 250

/** How many rows a mailbox worker claims at once, adapted to the throughput of its mail server. */
export class AdaptiveClaimSize {
  /** Rows of the next claim. */
  limit = claimMinCount
  readonly #tickMs: () => number
  #sinceMs: number

  constructor(tickMs: () => number) {
    this.#tickMs = tickMs
    this.#sinceMs = tickMs()
  }

  /** Claim again once no more rows than this wait: a claim takes about as long as sending its rows. */
  get refillThreshold(): number {
    return this.limit
  }

  claimed(count: number): void {
    if (count < this.limit) this.#sinceMs = this.#tickMs()
  }

  /** Adapts the limit: `count` rows were sent since the last call, or since the queue was empty. */
  sent(count: number): void {
    const nowMs = this.#tickMs()
    const perMs = count / Math.max(1, nowMs - this.#sinceMs)
    this.#sinceMs = nowMs
    const wanted = Math.round(perMs * targetMs)
    this.limit = Math.max(claimMinCount, Math.min(wanted, 2 * this.limit, claimMaxCount))
  }
}
