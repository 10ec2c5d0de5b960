import type { Claims } from './claims.ts'
import type { SenderPorts } from './sender-ports.ts'

interface Chore {
  everyMs: number
  run: () => Promise<unknown>
}

const secondMs = 1000
const hourMs = 3600 * secondMs
const leaseMaxHours = 24

/** What a sender does now and then beside sending. */
export class Chores {
  readonly #chores: readonly Chore[]
  readonly #dueMs = new Map<Chore, number>()
  readonly #clock: () => Date

  constructor(claims: Claims, { queue, prepareMonths, clock }: SenderPorts) {
    this.#clock = clock
    this.#chores = [
      { everyMs: 24 * hourMs, run: prepareMonths },
      { everyMs: hourMs, run: () => queue.giveUpLeases(leaseMaxHours) },
      { everyMs: 60 * secondMs, run: () => queue.cancelOrphans() },
      { everyMs: 10 * secondMs, run: () => claims.sweep() },
    ]
  }

  /** Does those that are due; one that fails is due again at once. */
  async do(): Promise<void> {
    for (const chore of this.#chores) {
      const nowMs = this.#clock().getTime()
      if (nowMs < (this.#dueMs.get(chore) ?? 0)) continue
      await chore.run()
      this.#dueMs.set(chore, nowMs + chore.everyMs)
    }
  }
}
