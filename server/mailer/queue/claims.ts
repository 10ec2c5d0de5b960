import type { ClaimedDelivery, MailboxKey, Quota } from '../../domain/messages/delivery.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { Journal, JournalSegment } from './journal.ts'
import type { SenderPorts } from './sender-ports.ts'
import type { OutcomeWriter } from './outcome-writer.ts'

/** A claimed row with its claim token. */
export interface ClaimedRow {
  delivery: ClaimedDelivery
  token: string
  segment: JournalSegment
  /** When its claim started: the row was not paused at that time. Monotonic, ms. */
  claimedAtMs: number
  /** Call once when the row's outcome is committed. */
  onWritten: () => void
}

/** Result of a claim. */
export interface Claimed {
  rows: ClaimedRow[]
  /** How long the mailbox's quota is used up; null if it is not, or if there is no quota. */
  waitMs: number | null
}

/** The mailbox that a claim takes rows of. */
export interface ClaimedMailbox extends MailboxKey {
  limits: Quota
}

export interface Claims {
  /**
   * Claims due rows of a mailbox and writes pending outcomes in the same statement. Rejects with errors of the database or
   * file system.
   */
  take: (mailbox: ClaimedMailbox, limit: number) => Promise<Claimed>
  /** Releases rows whose claim succeeded but whose answer was lost. Call it periodically. */
  releaseLost: () => Promise<void>
  /** Whether the answer to a claim was lost recently: `releaseLost` may find its rows now. */
  hasLost: () => boolean
}

/** A statement whose answer was lost has been committed or rolled back after this time. */
const lostStatementMs = 60_000
/** Most statements with a broken connection end at once, or when the database restarts. */
const justLostMs = 30_000

type Ports = Pick<SenderPorts, 'queue' | 'newId' | 'tickMs' | 'log'>

/** Claims rows under this process's journal and tracks the open claims. */
export function createClaims(journal: Journal, outcomeWriter: OutcomeWriter, ports: Ports): Claims {
  const openTokens = new Set<string>()
  /** Mailboxes that are known to have a quota. */
  const limited = new Set<string>()
  /** Journal segments of claims whose answer was lost. */
  let uncertain: { release: () => void; sinceMs: number }[] = []

  const release = (segment: JournalSegment) => {
    try {
      segment.release()
    } catch (error) {
      ports.log.error({ err: serializeError(error) }, 'An intent journal could not be removed')
    }
  }

  const claim = async (mailbox: ClaimedMailbox, limit: number, isLimited: boolean) => {
    const token = ports.newId()
    const segment = journal.hold()
    const claimedAtMs = ports.tickMs()
    openTokens.add(token)
    const pending = outcomeWriter.takePending()
    try {
      const result = await ports.queue.writeOutcomesAndClaim(pending.outcomes, {
        ...mailbox,
        owner: segment.owner,
        token,
        limit,
        isLimited,
      })
      pending.committed(result.messageIds)
      let openCount = result.rows.length
      const close = () => {
        openTokens.delete(token)
        release(segment)
      }
      const onWritten = () => {
        openCount -= 1
        if (openCount === 0) close()
      }
      if (openCount === 0) close()
      return {
        ...result,
        rows: result.rows.map((delivery) => ({ delivery, token, segment, claimedAtMs, onWritten })),
      }
    } catch (error) {
      pending.failed()
      // The claim may have been committed: `releaseLost` releases its rows then.
      openTokens.delete(token)
      uncertain.push({ release: () => release(segment), sinceMs: ports.tickMs() })
      throw error
    }
  }

  return {
    async take(mailbox, limit) {
      const claimed = await claim(mailbox, limit, limited.has(mailbox.mailboxId))
      const isNews = claimed.isLimited !== limited.has(mailbox.mailboxId)
      if (claimed.isLimited) limited.add(mailbox.mailboxId)
      else limited.delete(mailbox.mailboxId)
      // A mailbox whose quota was not known yet claims nothing the first time.
      return isNews && claimed.isLimited ? claim(mailbox, limit, true) : claimed
    },

    hasLost: () => uncertain.some(({ sinceMs }) => ports.tickMs() - sinceMs < justLostMs),

    async releaseLost() {
      const startedMs = ports.tickMs()
      const count = await ports.queue.releaseLost(journal.owners(), () => [...openTokens])
      if (count > 0) ports.log.warn({ count }, 'Deliveries whose claim was lost are back in the queue')
      const isOver = ({ sinceMs }: { sinceMs: number }) => sinceMs < startedMs - lostStatementMs
      for (const { release } of uncertain.filter(isOver)) release()
      uncertain = uncertain.filter((one) => !isOver(one))
    },
  }
}
