import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageResults } from '../../domain/messages/delivery.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  deliveries: {
    readResults: (scope: Scope, messageId: string) => Promise<MessageResults | null>
    failUnsent: (scope: Scope, messageId: string, reply: string) => Promise<number>
  }
}

/** Lets a send call wait for the mail server's first answer. */
export interface FirstResultWatch {
  /**
   * Waits until a mail server accepted a delivery of the message, or refused all of them, or the mailbox is paused until
   * its owner acts; at most `timeoutMs`. `failure`: the last reply, if nothing was sent and nothing will be. Deliveries
   * that wait for a paused mailbox are failed then, so that the caller can send again.
   */
  waitForFirstResult: (scope: Scope, messageId: string, timeoutMs: number) => Promise<{ failure: string | null }>
  /** Reports messages whose deliveries changed: their waiting calls read the results at once. */
  notify: (messageIds: readonly string[]) => void
}

/** Other processes cannot notify this one, so the database is polled as well. */
const pollMs = 250

export function createFirstResultWatch({ deliveries }: Ports): FirstResultWatch {
  const waiting = new Map<string, Set<() => void>>()

  const waitForChange = async (messageId: string, deadline: AbortSignal) => {
    const change = new AbortController()
    const listener = () => change.abort()
    const listeners = waiting.get(messageId) ?? new Set()
    waiting.set(messageId, listeners.add(listener))
    const signal = AbortSignal.any([change.signal, deadline])
    await sleep(pollMs, undefined, { signal }).catch(() => undefined) // Aborted by a change or by the deadline: read again.
    listeners.delete(listener)
    if (listeners.size === 0 && waiting.get(messageId) === listeners) waiting.delete(messageId)
  }

  /** Undefined while the result is open. */
  const readFirstResult = async (scope: Scope, messageId: string): Promise<{ failure: string | null } | undefined> => {
    const results = await deliveries.readResults(scope, messageId)
    if (!results || results.takenCount > 0) return { failure: null }
    const { queuedCount, sendingCount, failedCount, pauseReason } = results
    if (queuedCount + sendingCount === 0) return { failure: failedCount > 0 ? results.failureReply : null }
    // Rows in `sending` return to the queue first and can be failed together with the others then.
    if (pauseReason === null || sendingCount > 0) return undefined
    await deliveries.failUnsent(scope, messageId, pauseReason)
    const after = await deliveries.readResults(scope, messageId)
    const isOver = after && after.takenCount + after.queuedCount + after.sendingCount === 0
    return isOver ? { failure: pauseReason } : undefined
  }

  return {
    async waitForFirstResult(scope, messageId, timeoutMs) {
      const deadline = AbortSignal.timeout(timeoutMs)
      for (;;) {
        // The message is accepted already: a short outage of the database must not look like a refusal.
        const result = await readFirstResult(scope, messageId).catch(() => undefined)
        if (result) return result
        if (deadline.aborted) return { failure: null }
        await waitForChange(messageId, deadline)
      }
    },

    notify(messageIds) {
      for (const messageId of messageIds) waiting.get(messageId)?.forEach((listener) => listener())
    },
  }
}
