import { monitorEventLoopDelay } from 'node:perf_hooks'
import { cpuUsage, memoryUsage, uptime } from 'node:process'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Claim, ClaimResult, DeliveryOutcome } from './domain/messages/delivery.ts'
import type { QueueDepth } from './store/statistics/queue-depth.ts'

/** The two code paths that settle deliveries. */
interface SettlingQueue {
  writeOutcomes: (settlements: readonly DeliveryOutcome[]) => Promise<string[]>
  writeOutcomesAndClaim: (settlements: readonly DeliveryOutcome[], claim: Claim) => Promise<ClaimResult>
}

export type Metrics = ReturnType<typeof createMetrics>

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const lagResolutionMs = 10
/** Concurrent scrapes share one query of the queue. */
const depthMaxAgeMs = 5000

/**
 * The metrics of this process and the queue, in Prometheus's text format. Labels are states, operations and statuses: never an
 * address, a key or an id. `close` stops the event-loop monitor.
 */
export function createMetrics(readDepth: () => Promise<QueueDepth>, tickMs: () => number) {
  const registry = new Registry()
  const registers = [registry]
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs })
  lag.enable()

  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `sendwright_${name}`, help, labelNames, registers })
  const waiting = gauge('queue_deliveries', 'Deliveries that are not settled, by state', ['state'])
  const due = gauge('queue_due_deliveries', 'Deliveries that could be sent now')
  const oldest = gauge('queue_oldest_due_seconds', 'How long the oldest due delivery has waited')
  const frozen = gauge('queue_frozen_deliveries', 'Deliveries that a restore has frozen')
  const mailboxes = gauge('mailboxes', 'Connected mailboxes, by status', ['status'])
  const isDatabaseUp = gauge('database_up', 'Whether the database answered this scrape')
  const lagSeconds = gauge('event_loop_lag_seconds', 'Delay of the event loop since the last scrape', ['quantile'])
  const memory = gauge('process_memory_bytes', 'Memory of this process, by kind', ['kind'])
  const upSeconds = gauge('process_uptime_seconds', 'How long this process has run')
  const cpu = gauge('process_cpu_seconds_total', 'Processor time of this process')
  const settled = new Counter({
    name: 'sendwright_deliveries_settled_total',
    help: 'Attempts that this process settled, by what became of them; rate() of sent is the send rate',
    labelNames: ['state'],
    registers,
  })
  const accept = new Histogram({
    name: 'sendwright_accept_seconds',
    help: 'From a checked send call to its commit',
    buckets: secondsBuckets,
    registers,
  })
  const requests = new Histogram({
    name: 'sendwright_http_request_seconds',
    help: 'Requests that were answered, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: secondsBuckets,
    registers,
  })
  const hits = new Counter({
    name: 'sendwright_tracking_hits_total',
    help: 'Opens and clicks that this process answered, by what became of them',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  for (const state of ['sent', 'deferred', 'failed', 'unknown']) settled.inc({ state }, 0)

  let depth: { atMs: number; read: Promise<QueueDepth> } | null = null
  const lookAtQueue = async () => {
    if (depth === null || tickMs() - depth.atMs > depthMaxAgeMs) depth = { atMs: tickMs(), read: readDepth() }
    try {
      const found = await depth.read
      for (const [state, count] of Object.entries(found.states)) waiting.set({ state }, count)
      for (const [status, count] of Object.entries(found.mailboxes)) mailboxes.set({ status }, count)
      due.set(found.dueCount)
      oldest.set(found.oldestDueSeconds)
      frozen.set(found.frozenCount)
      isDatabaseUp.set(1)
    } catch {
      depth = null
      isDatabaseUp.set(0) // The scrape reports the failure itself; the log has the reason.
    }
  }

  const lookAtProcess = () => {
    for (const quantile of [50, 99])
      lagSeconds.set({ quantile: String(quantile / 100) }, lag.percentile(quantile) / 1e9)
    lagSeconds.set({ quantile: '1' }, lag.max / 1e9)
    lag.reset()
    const { rss, heapUsed, external } = memoryUsage()
    for (const [kind, bytes] of Object.entries({ resident: rss, heap: heapUsed, external })) memory.set({ kind }, bytes)
    const { user, system } = cpuUsage()
    cpu.set((user + system) / 1e6)
    upSeconds.set(uptime())
  }

  return {
    contentType: registry.contentType,

    /** The current metrics. Never rejects: without a database they contain only the process's own values. */
    async render(): Promise<string> {
      await lookAtQueue()
      lookAtProcess()
      return registry.metrics()
    },

    /** The same queue, with settled deliveries counted once they are committed. */
    countOutcomes<Q extends SettlingQueue>(queue: Q): Q {
      const count = (settlements: readonly DeliveryOutcome[]) => {
        for (const { state, isAttempt } of settlements) {
          if (isAttempt) settled.inc({ state })
        }
      }
      return {
        ...queue,
        async writeOutcomes(settlements: readonly DeliveryOutcome[]) {
          const messageIds = await queue.writeOutcomes(settlements)
          count(settlements)
          return messageIds
        },
        async writeOutcomesAndClaim(settlements: readonly DeliveryOutcome[], claim: Claim) {
          const exchange = await queue.writeOutcomesAndClaim(settlements, claim)
          count(settlements)
          return exchange
        },
      }
    },

    /** The same function, with its duration until success measured. */
    timeAccept<P extends unknown[], R>(work: (...given: P) => Promise<R>): (...given: P) => Promise<R> {
      return async (...given) => {
        const startMs = tickMs()
        const result = await work(...given)
        accept.observe((tickMs() - startMs) / 1000)
        return result
      }
    },

    /** A request was completed. */
    noteRequest(operation: string, status: number, durationMs: number): void {
      requests.observe({ operation, status: String(status) }, durationMs / 1000)
    },

    /** Opens or clicks were answered; `dropped`: the journal was full. */
    noteHits(
      kind: 'opened' | 'clicked' | 'any',
      outcome: 'recorded' | 'repeated' | 'prefetch' | 'dropped' | 'invalid' | 'unknown',
      count: number,
    ): void {
      hits.inc({ kind, outcome }, count)
    },

    close: (): void => void lag.disable(),
  }
}
