import type { ClaimedRow } from './deliver.ts'
import type { Journal } from './journal.ts'
import type { SenderPorts } from './sender-ports.ts'

/** Rows that were claimed together. */
export interface HeldClaim {
  rows: readonly ClaimedRow[]
  /** To be called once, when all of them are settled in the database. */
  finish: () => void
}

export interface Claims {
  /** Claims due rows of a mailbox. Rejects with what the database or the file system said. */
  take: (configId: string, limit: number) => Promise<HeldClaim>
  /** Sends rows back that were claimed while the answer got lost. To be called now and then. */
  sweep: () => Promise<void>
}

/** A statement whose answer was lost has come to its end after this long, one way or the other. */
const lostStatementMs = 60_000

/** Makes claims under this process's journal and remembers which of them are open. */
export function createClaims(journal: Journal, ports: Pick<SenderPorts, 'queue' | 'newId' | 'clock' | 'log'>): Claims {
  const openTokens = new Set<string>()
  /** Journal segments under which a claim may yet come to light. */
  let doubtful: { release: () => void; sinceMs: number }[] = []
  const nowMs = () => ports.clock().getTime()

  return {
    async take(configId, limit) {
      const token = ports.newId()
      const segment = journal.hold()
      openTokens.add(token)
      try {
        const deliveries = await ports.queue.claim({ configId, owner: segment.owner, token, limit })
        return {
          rows: deliveries.map((delivery) => ({ delivery, token, segment })),
          finish() {
            openTokens.delete(token)
            segment.release()
          },
        }
      } catch (error) {
        // The claim may have been committed all the same: `sweep` sends its rows back.
        openTokens.delete(token)
        doubtful.push({ release: () => segment.release(), sinceMs: nowMs() })
        throw error
      }
    },

    async sweep() {
      const startedMs = nowMs()
      const count = await ports.queue.releaseLost(journal.owners(), () => [...openTokens])
      if (count > 0) ports.log.warn({ count }, 'Deliveries whose claim got lost are back in the queue')
      const isOver = ({ sinceMs }: { sinceMs: number }) => sinceMs < startedMs - lostStatementMs
      for (const { release } of doubtful.filter(isOver)) release()
      doubtful = doubtful.filter((claim) => !isOver(claim))
    },
  }
}
