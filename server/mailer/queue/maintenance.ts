import { errorFacts } from '../../domain/core/serialize-error.ts'
import type { Chore, SenderPorts } from './sender-ports.ts'

/** One that failed is tried again after this long, if it is not due before. */
const againMs = 5000

/** What a sender does now and then beside sending. */
export class Chores {
  readonly #chores: readonly Chore[]
  readonly #dueMs = new Map<Chore, number>()
  readonly #ports: Pick<SenderPorts, 'tickMs' | 'log'>

  constructor(chores: readonly Chore[], ports: Pick<SenderPorts, 'tickMs' | 'log'>) {
    this.#chores = chores
    this.#ports = ports
  }

  /** Does those that are due. */
  async do(): Promise<void> {
    const { tickMs, log } = this.#ports
    for (const chore of this.#chores) {
      const nowMs = tickMs()
      if (nowMs < (this.#dueMs.get(chore) ?? Number.NEGATIVE_INFINITY)) continue
      try {
        await chore.run()
        this.#dueMs.set(chore, nowMs + chore.everyMs)
      } catch (error) {
        log.warn({ err: errorFacts(error) }, 'Upkeep of the queue failed; it is tried again')
        this.#dueMs.set(chore, nowMs + Math.min(chore.everyMs, againMs))
      }
    }
  }
}
