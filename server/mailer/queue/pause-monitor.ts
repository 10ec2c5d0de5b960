import { errorFacts } from '../../domain/core/serialize-error.ts'
import type { ClaimedRow } from './claims.ts'
import type { SenderPorts } from './sender-ports.ts'

/** Mailboxes and campaigns whose rows are in hand. */
export interface Held {
  mailboxIds: readonly string[]
  campaignIds: readonly string[]
}

/**
 * Whether rows in hand may still leave. `stale`: nobody has looked for too long, as when the database is away; rows wait
 * then.
 */
export type Standing = 'go' | 'halted' | 'stale'

export interface Halts {
  standingOf: (row: ClaimedRow) => Standing
  /** Looks often enough from now on, for as long as something is held. */
  watch: () => void
  stop: () => void
}

const lookEveryMs = 250
/** A pause is obeyed within this long after it is committed, whatever happens to who looks. */
const staleAfterMs = 900

type Ports = Pick<SenderPorts, 'queue' | 'suppressions' | 'tickMs' | 'log'> & {
  held: () => Held
  /** To be called after each look, with what was found to be halted. */
  onLook: (halted: ReadonlySet<string>) => void
  /** Lets go of rows in hand of these mailboxes that must not be written to any more. */
  recheck: (mailboxIds: readonly string[]) => Promise<unknown>
}

/**
 * Looks again and again whether a mailbox or a campaign was paused whose rows are in hand, or somebody has left who is among
 * them.
 */
export function createHalts({ queue, suppressions, tickMs, log, held, onLook, recheck }: Ports): Halts {
  let halted: ReadonlySet<string> = new Set()
  /** When the last look began that came to an end. */
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const look = async () => {
    const startedMs = tickMs()
    try {
      const { mailboxIds, campaignIds } = held()
      const [found, changed] = await Promise.all([
        queue.listHalted(mailboxIds, campaignIds),
        suppressions?.listChanged(mailboxIds) ?? [],
      ])
      if (changed.length > 0) await recheck(changed)
      halted = new Set(found)
      lookedAtMs = startedMs
      onLook(halted)
    } catch (error) {
      log.warn({ err: errorFacts(error) }, 'It cannot be seen whether sending was paused; nothing leaves meanwhile')
    }
  }

  const turn = () => {
    timer = setTimeout(() => {
      void look().then(() => {
        timer = null
        if (!isStopped && held().mailboxIds.length > 0) turn()
      })
    }, lookEveryMs)
  }

  return {
    standingOf({ delivery, claimedAtMs }) {
      const knownAtMs = Math.max(claimedAtMs, lookedAtMs)
      if (tickMs() - knownAtMs > staleAfterMs) return 'stale'
      // A claim that is younger than the look knows better.
      if (claimedAtMs > lookedAtMs) return 'go'
      const isHalted =
        halted.has(delivery.mailboxId) || (delivery.campaignId !== null && halted.has(delivery.campaignId))
      return isHalted ? 'halted' : 'go'
    },
    watch() {
      if (!isStopped && timer === null) turn()
    },
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
