import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../domain/auth/scope.ts'
import type { PendingErasures } from '../../domain/contacts/erasure.ts'
import type { DeliveryPlace, ErasureStore } from '../../store/contacts/erasure.ts'
import { createBackgroundWorker } from '../core/background-worker.ts'

interface Ports {
  erasures: Pick<ErasureStore, 'removeFromMails' | 'finish'>
  /** Takes erased addresses of any workspace; null where none is due. */
  claim: (now: Date, leaseMs: number) => Promise<PendingErasures | null>
  /** The scope of a task in one workspace. */
  scopeOf: (workspaceId: string) => Scope
  now: () => Date
  onError: (error: unknown) => void
}

const pageCount = 10_000
/** Longer than a pass over the mails of a workspace takes; a process that ended is succeeded after it. */
const leaseMs = 60 * 60_000
/** Share of the time in which the database reads mails. */
const restFactor = 4

/** Removes erased addresses from the mails that were sent to them, within a day; mails that are being sent in the next pass. */
export function createErasureRunner({ erasures, claim, scopeOf, now, onError }: Ports) {
  async function run(pending: PendingErasures, isClosed: () => boolean): Promise<void> {
    const scope = scopeOf(pending.workspaceId)
    let sendingCount = 0
    for (let after: DeliveryPlace | null = null; ;) {
      if (isClosed()) return
      const startedAt = performance.now()
      const page = await erasures.removeFromMails(scope, pending, after, pageCount)
      sendingCount += page.sendingCount
      if (page.last === null) break
      after = page.last
      await sleep((performance.now() - startedAt) * restFactor)
    }
    if (sendingCount === 0) await erasures.finish(scope, pending.hashes, now())
  }

  return createBackgroundWorker({ claim: () => claim(now(), leaseMs), run, onError })
}
