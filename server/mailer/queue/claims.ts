import type { ClaimedDelivery, Quota } from '../../domain/messages/delivery.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { Journal, JournalSegment } from './journal.ts'
import type { SenderPorts } from './sender-ports.ts'
import type { OutcomeWriter } from './outcome-writer.ts'

/** A claimed row, with the claim that it is onWritten under. */
export interface ClaimedRow {
  delivery: ClaimedDelivery
  token: string
  segment: JournalSegment
  /** When its claim was begun: at that instant it was allowed to leave. Monotonic. */
  claimedAtMs: number
  /** To be called once it is onWritten in the database. */
  onWritten: () => void
}

/** What a claim gave. */
export interface Claimed {
  rows: ClaimedRow[]
  /** How long the mailbox's quota gives nothing more; null while it gives something, or has none. */
  waitMs: number | null
}

export interface Claims {
  /**
   * Claims due rows of a mailbox, and settles on the way what waits for it. Rejects with what the database or the file system
   * said.
   */
  take: (mailbox: { mailboxId: string; limits: Quota }, limit: number) => Promise<Claimed>
  /** Sends rows back that were claimed while the answer got lost. To be called now and then. */
  releaseLost: () => Promise<void>
  /** Whether the answer to a claim got lost a moment ago: a sweep may find its rows as soon as the database answers. */
  hasLost: () => boolean
}

/** A statement whose answer was lost has come to its end after this long, one way or the other. */
const lostStatementMs = 60_000
/** One whose connection broke has mostly come to its end at once, or when the database was started again. */
const justLostMs = 30_000

type Ports = Pick<SenderPorts, 'queue' | 'newId' | 'tickMs' | 'log'>

/** Makes claims under this process's journal and remembers which of them are open. */
export function createClaims(journal: Journal, settler: OutcomeWriter, ports: Ports): Claims {
  const openTokens = new Set<string>()
  /** Mailboxes that have turned out to have a quota. */
  const limited = new Set<string>()
  /** Journal segments under which a claim may yet come to light. */
  let uncertain: { release: () => void; sinceMs: number }[] = []

  const release = (segment: JournalSegment) => {
    try {
      segment.release()
    } catch (error) {
      ports.log.error({ err: serializeError(error) }, 'An intent journal could not be removed')
    }
  }

  const claim = async (mailbox: { mailboxId: string; limits: Quota }, limit: number, isLimited: boolean) => {
    const token = ports.newId()
    const segment = journal.hold()
    const claimedAtMs = ports.tickMs()
    openTokens.add(token)
    const load = settler.takePending()
    try {
      const exchanged = await ports.queue.writeOutcomesAndClaim(load.outcomes, {
        ...mailbox,
        owner: segment.owner,
        token,
        limit,
        isLimited,
      })
      load.committed(exchanged.messageIds)
      let openCount = exchanged.rows.length
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
        ...exchanged,
        rows: exchanged.rows.map((delivery) => ({ delivery, token, segment, claimedAtMs, onWritten })),
      }
    } catch (error) {
      load.failed()
      // The claim may have been committed all the same: `sweep` sends its rows back.
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
      // A quota that it was not known to have gave nothing.
      return isNews && claimed.isLimited ? claim(mailbox, limit, true) : claimed
    },

    hasLost: () => uncertain.some(({ sinceMs }) => ports.tickMs() - sinceMs < justLostMs),

    async releaseLost() {
      const startedMs = ports.tickMs()
      const count = await ports.queue.releaseLost(journal.owners(), () => [...openTokens])
      if (count > 0) ports.log.warn({ count }, 'Deliveries whose claim got lost are back in the queue')
      const isOver = ({ sinceMs }: { sinceMs: number }) => sinceMs < startedMs - lostStatementMs
      for (const { release } of uncertain.filter(isOver)) release()
      uncertain = uncertain.filter((one) => !isOver(one))
    },
  }
}
