import { serializeError } from '../../domain/core/serialize-error.ts'
import type { ClaimedRow } from './claims.ts'
import type { SenderPorts } from './sender-ports.ts'

/** Mailboxes and campaigns whose rows are in hand. */
export interface ActiveWork {
  mailboxIds: readonly string[]
  campaignIds: readonly string[]
}

/**
 * Whether rows in hand may still leave. `stale`: nobody has looked for too long, as when the database is away; rows wait
 * then.
 */
export type SendPermission = 'go' | 'halted' | 'stale'

export interface PauseMonitor {
  check: (row: ClaimedRow) => SendPermission
  /** Looks often enough from now on, for as long as something is held. */
  watch: () => void
  stop: () => void
}

const checkIntervalMs = 250
/** A pause is obeyed within this long after it is committed, whatever happens to who looks. */
const staleAfterMs = 900

type Ports = Pick<SenderPorts, 'queue' | 'suppressions' | 'tickMs' | 'log'> & {
  listActive: () => ActiveWork
  /** To be called after each look, with what was found to be halted. */
  onChecked: (pausedIds: ReadonlySet<string>) => void
  /** Lets go of rows in hand of these mailboxes that must not be written to any more. */
  dropSuppressed: (mailboxIds: readonly string[]) => Promise<unknown>
}

/**
 * Looks again and again whether a mailbox or a campaign was paused whose rows are in hand, or somebody has left who is among
 * them.
 */
export function createPauseMonitor({
  queue,
  suppressions,
  tickMs,
  log,
  listActive,
  onChecked,
  dropSuppressed,
}: Ports): PauseMonitor {
  let halted: ReadonlySet<string> = new Set()
  /** When the last look began that came to an end. */
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const checkOnce = async () => {
    const startedMs = tickMs()
    try {
      const { mailboxIds, campaignIds } = listActive()
      const [found, changed] = await Promise.all([
        queue.listPaused(mailboxIds, campaignIds),
        suppressions?.listChanged(mailboxIds) ?? [],
      ])
      if (changed.length > 0) await dropSuppressed(changed)
      halted = new Set(found)
      checkedAtMs = startedMs
      onChecked(halted)
    } catch (error) {
      log.warn({ err: serializeError(error) }, 'It cannot be seen whether sending was paused; nothing leaves meanwhile')
    }
  }

  const scheduleCheck = () => {
    timer = setTimeout(() => {
      void checkOnce().then(() => {
        timer = null
        if (!isStopped && listActive().mailboxIds.length > 0) scheduleCheck()
      })
    }, checkIntervalMs)
  }

  return {
    check({ delivery, claimedAtMs }) {
      const knownAtMs = Math.max(claimedAtMs, checkedAtMs)
      if (tickMs() - knownAtMs > staleAfterMs) return 'stale'
      // A claim that is younger than the look knows better.
      if (claimedAtMs > checkedAtMs) return 'go'
      const isHalted =
        halted.has(delivery.mailboxId) || (delivery.campaignId !== null && halted.has(delivery.campaignId))
      return isHalted ? 'halted' : 'go'
    },
    watch() {
      if (!isStopped && timer === null) scheduleCheck()
    },
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
