import { serializeError } from '../../domain/core/serialize-error.ts'
import type { MaintenanceTask, SenderPorts } from './sender-ports.ts'

/** One that failed is tried again after this long, if it is not due before. */
const retryMs = 5000

/** What a sender does now and then beside sending. */
export class MaintenanceRunner {
  readonly #chores: readonly MaintenanceTask[]
  readonly #dueMs = new Map<MaintenanceTask, number>()
  readonly #ports: Pick<SenderPorts, 'tickMs' | 'log'>

  constructor(chores: readonly MaintenanceTask[], ports: Pick<SenderPorts, 'tickMs' | 'log'>) {
    this.#chores = chores
    this.#ports = ports
  }

  /** Does those that are due. */
  async runDue(): Promise<void> {
    const { tickMs, log } = this.#ports
    for (const chore of this.#chores) {
      const nowMs = tickMs()
      if (nowMs < (this.#dueMs.get(chore) ?? Number.NEGATIVE_INFINITY)) continue
      try {
        await chore.run()
        this.#dueMs.set(chore, nowMs + chore.intervalMs)
      } catch (error) {
        log.warn({ err: serializeError(error) }, 'Upkeep of the queue failed; it is tried again')
        this.#dueMs.set(chore, nowMs + Math.min(chore.intervalMs, retryMs))
      }
    }
  }
}
