import { serializeError } from '../../domain/core/serialize-error.ts'
import type { MaintenanceTask, SenderPorts } from './sender-ports.ts'

/** Delay before a failed task runs again, unless its interval is shorter. */
const retryMs = 5000

/** Runs periodic tasks beside sending. */
export class MaintenanceRunner {
  readonly #tasks: readonly MaintenanceTask[]
  readonly #dueMs = new Map<MaintenanceTask, number>()
  readonly #ports: Pick<SenderPorts, 'tickMs' | 'log'>

  constructor(tasks: readonly MaintenanceTask[], ports: Pick<SenderPorts, 'tickMs' | 'log'>) {
    this.#tasks = tasks
    this.#ports = ports
  }

  /** Runs every task that is due. Never throws: a failure is logged. */
  async runDue(): Promise<void> {
    const { tickMs, log } = this.#ports
    for (const task of this.#tasks) {
      const nowMs = tickMs()
      if (nowMs < (this.#dueMs.get(task) ?? Number.NEGATIVE_INFINITY)) continue
      try {
        await task.run()
        this.#dueMs.set(task, nowMs + task.intervalMs)
      } catch (error) {
        log.warn({ err: serializeError(error) }, 'A maintenance task failed; it will be retried')
        this.#dueMs.set(task, nowMs + Math.min(task.intervalMs, retryMs))
      }
    }
  }
}
