import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../domain/auth/scope.ts'
import { LeaseLost } from '../../domain/events/lease-lost.ts'
import type { DigestOutcome, DigestStore } from '../../store/events/digest.ts'
import type { DigestLease, DigestLeaseStore } from '../../store/events/digest-lease.ts'

interface Ports {
  digests: DigestStore
  leases: Pick<DigestLeaseStore, 'take' | 'release'>
  listWaiting: () => Promise<string[]>
  /** The scope of a task in one workspace. */
  scopeOf: (workspaceId: string) => Scope
  /** Names this process in leases. */
  holder: string
  newId: () => string
  /** Called with each committed batch. */
  onDigested?: (outcome: DigestOutcome) => void
  /** A row was set aside. */
  onParked: (workspaceId: string, error: unknown) => void
  onError: (error: unknown) => void
  /** Whether an error says that the database cannot be reached: nothing is set aside for it. */
  isUnavailable: (error: unknown) => boolean
  /** How often it looks for events. */
  pollMs?: number
}

/** More at a time would keep the process from answering opens and clicks for tens of milliseconds. */
export const digestBatchCount = 500
/** Batches of one workspace before the others get their turn. */
const turnBatchCount = 40
/** Workspaces that one process digests at a time. */
const workspacesAtOnce = 3
const attemptCount = 3
const retryMs = 100
/** Rest after a batch whose rows all wait for the record of their mails. */
const unsettledRestMs = 500

/** Digests the events of all workspaces: one batch after another, one process for each workspace. */
export function createDigestRunner(ports: Ports) {
  const { digests, leases, listWaiting, scopeOf, holder, newId, onParked, onError, isUnavailable, pollMs = 300 } = ports
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  async function digestOnce(scope: Scope, lease: DigestLease, ids: number[] | null): Promise<DigestOutcome> {
    const outcome = await digests.digest(scope, lease, digestBatchCount, ids)
    ports.onDigested?.(outcome)
    return outcome
  }

  /** A batch; where it fails three times, its rows one by one. */
  async function digestBatch(scope: Scope, lease: DigestLease): Promise<DigestOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await digestOnce(scope, lease, null)
      } catch (error) {
        if (error instanceof LeaseLost || isUnavailable(error)) throw error
        if (attempt < attemptCount) await sleep(retryMs * attempt)
        else return await digestRows(scope, lease)
      }
    }
  }

  async function digestRows(scope: Scope, lease: DigestLease): Promise<DigestOutcome> {
    const ids = await digests.listOldest(scope, digestBatchCount)
    for (const id of ids) {
      try {
        await digestOnce(scope, lease, [id])
      } catch (error) {
        if (error instanceof LeaseLost || isUnavailable(error)) throw error
        await digests.park(scope, id, error instanceof Error ? error.message : String(error))
        onParked(scope.workspaceId, error)
      }
    }
    return { takenCount: ids.length, waitingCount: 0, unknownCount: 0 }
  }

  /** Takes a turn; true if more events may wait. */
  async function digestWorkspace(workspaceId: string): Promise<boolean> {
    const scope = scopeOf(workspaceId)
    const lease = { token: newId() }
    if (!(await leases.take(scope, holder, lease))) return false
    try {
      for (let batch = 0; batch < turnBatchCount && !isClosed; batch += 1) {
        const { takenCount, waitingCount } = await digestBatch(scope, lease)
        if (takenCount > 0 && takenCount === waitingCount) {
          await sleep(unsettledRestMs)
          return true
        }
        if (takenCount < digestBatchCount) return false
      }
      return true
    } finally {
      await leases.release(scope, lease)
    }
  }

  /**
   * Gives each workspace a turn; true if a full batch may still wait. What arrives during the round waits for the next poll:
   * while mails are sent, events arrive all the time, and full batches cost less than many small ones. So does the next
   * attempt after a failure.
   */
  async function runRound(): Promise<boolean> {
    const next = await listWaiting()
    let [fullCount, failureCount] = [0, 0]
    const digestNext = async () => {
      for (let id = next.shift(); id !== undefined && !isClosed; id = next.shift()) {
        const hasMore = await digestWorkspace(id).catch((error: unknown) => {
          failureCount += 1
          if (!(error instanceof LeaseLost)) onError(error)
          return false
        })
        if (hasMore) fullCount += 1
      }
    }
    await Promise.all(Array.from({ length: workspacesAtOnce }, digestNext))
    return failureCount === 0 && fullCount > 0
  }

  async function runAll(): Promise<void> {
    while (!isClosed && (await runRound())) continue
  }

  const wake = () => {
    if (isClosed) return
    running ??= runAll()
      .catch(onError)
      .finally(() => {
        running = null
      })
  }

  return {
    start() {
      timer = setInterval(wake, pollMs)
      timer.unref()
      wake()
    },
    /** Looks for events now. */
    wake,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}
