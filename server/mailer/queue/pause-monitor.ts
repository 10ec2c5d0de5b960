import { serializeError } from '../../domain/core/serialize-error.ts'
import type { ClaimedRow } from './claims.ts'
import type { SenderPorts } from './sender-ports.ts'
import type { CampaignKey, MailboxKey } from '../../domain/messages/delivery.ts'

/** Mailboxes and campaigns with claimed rows in this process. */
export interface ActiveWork {
  mailboxes: readonly MailboxKey[]
  campaigns: readonly CampaignKey[]
}

/**
 * Whether a claimed row may be sent. `unknown`: the last check is too old, as when the database is away; the row waits.
 */
export type SendPermission = 'allowed' | 'paused' | 'unknown'

export interface PauseMonitor {
  check: (row: ClaimedRow) => SendPermission
  /** Starts checking; it stops when no rows are claimed. */
  watch: () => void
  stop: () => void
}

const checkIntervalMs = 250
/** A pause takes effect within this time after its commit, even if a check is late. */
const staleAfterMs = 900

type Ports = Pick<SenderPorts, 'queue' | 'suppressions' | 'tickMs' | 'log'> & {
  listActive: () => ActiveWork
  /** Called after each check with the ids of paused mailboxes and campaigns. */
  onChecked: (pausedIds: ReadonlySet<string>) => void
  /** Releases claimed rows of these mailboxes whose recipients are now suppressed. */
  dropSuppressed: (mailboxIds: readonly string[]) => Promise<unknown>
}

/** Polls for paused mailboxes and campaigns, and for new suppressions, while this process has claimed rows. */
export function createPauseMonitor(ports: Ports): PauseMonitor {
  const { queue, suppressions, tickMs, log, listActive, onChecked, dropSuppressed } = ports
  let pausedIds: ReadonlySet<string> = new Set()
  /** Start of the last check that succeeded. */
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const checkOnce = async () => {
    const startedMs = tickMs()
    try {
      const { mailboxes, campaigns } = listActive()
      const [found, changed] = await Promise.all([
        queue.listPaused(mailboxes, campaigns),
        suppressions?.listChanged(mailboxes) ?? [],
      ])
      if (changed.length > 0) await dropSuppressed(changed)
      pausedIds = new Set(found)
      checkedAtMs = startedMs
      onChecked(pausedIds)
    } catch (error) {
      log.warn({ err: serializeError(error) }, 'Cannot check for pauses; nothing is sent meanwhile')
    }
  }

  const scheduleCheck = () => {
    timer = setTimeout(() => {
      void checkOnce().then(() => {
        timer = null
        if (!isStopped && listActive().mailboxes.length > 0) scheduleCheck()
      })
    }, checkIntervalMs)
  }

  return {
    check({ delivery: { mailboxId, campaignId }, claimedAtMs }) {
      const knownAtMs = Math.max(claimedAtMs, checkedAtMs)
      if (tickMs() - knownAtMs > staleAfterMs) return 'unknown'
      // The claim itself skips paused mailboxes, so a claim after the check is more recent information.
      if (claimedAtMs > checkedAtMs) return 'allowed'
      const isPaused = pausedIds.has(mailboxId) || (campaignId !== null && pausedIds.has(campaignId))
      return isPaused ? 'paused' : 'allowed'
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
