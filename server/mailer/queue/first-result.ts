import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageResults } from '../../domain/messages/delivery.ts'

interface Ports {
  deliveries: {
    readResults: (messageId: string) => Promise<MessageResults | null>
    failUnsent: (messageId: string, reply: string) => Promise<number>
  }
}

/** For who sent and wants to hear the mail server's first word. */
export interface FirstResultWatch {
  /**
   * Waits until a delivery of the message was taken by a mail server, or all were refused, or the mailbox waits for its
   * owner; at most `timeoutMs`. `failure`: what was said last, where nothing was sent and nothing will be any more; what
   * was still waiting behind a paused mailbox is failed then, so that the caller may simply send again.
   */
  waitForFirstResult: (messageId: string, timeoutMs: number) => Promise<{ failure: string | null }>
  /** To be called with messages that have news: who waits looks at once. */
  notify: (messageIds: readonly string[]) => void
}

/** Other processes notify nobody here, so the database is looked at as often as this as well. */
const pollMs = 250

export function createFirstResultWatch({ deliveries }: Ports): FirstResultWatch {
  const waiting = new Map<string, Set<() => void>>()

  const waitForNews = async (messageId: string, isOver: AbortSignal) => {
    const news = new AbortController()
    const tell = () => news.abort()
    const listeners = waiting.get(messageId) ?? new Set()
    waiting.set(messageId, listeners.add(tell))
    const signal = AbortSignal.any([news.signal, isOver])
    await sleep(pollMs, undefined, { signal }).catch(() => undefined) // News, or the time is over: look again.
    listeners.delete(tell)
    if (listeners.size === 0 && waiting.get(messageId) === listeners) waiting.delete(messageId)
  }

  /** Undefined: it is too early to tell. */
  const readFinalResult = async (messageId: string): Promise<{ failure: string | null } | undefined> => {
    const verdicts = await deliveries.readResults(messageId)
    if (!verdicts || verdicts.takenCount > 0) return { failure: null }
    const { queuedCount, sendingCount, failedCount, pauseReason } = verdicts
    if (queuedCount + sendingCount === 0) return { failure: failedCount > 0 ? verdicts.failureReply : null }
    // Rows that are being sent come back to the queue first: then they can be failed with the others.
    if (pauseReason === null || sendingCount > 0) return undefined
    await deliveries.failUnsent(messageId, pauseReason)
    const after = await deliveries.readResults(messageId)
    const isOver = after && after.takenCount + after.queuedCount + after.sendingCount === 0
    return isOver ? { failure: pauseReason } : undefined
  }

  return {
    async waitForFirstResult(messageId, timeoutMs) {
      const isOver = AbortSignal.timeout(timeoutMs)
      for (;;) {
        // Accepted is accepted: a database that is away for a moment must not look like a refusal.
        const verdict = await readFinalResult(messageId).catch(() => undefined)
        if (verdict) return verdict
        if (isOver.aborted) return { failure: null }
        await waitForNews(messageId, isOver)
      }
    },

    notify(messageIds) {
      for (const messageId of messageIds) waiting.get(messageId)?.forEach((tell) => tell())
    },
  }
}
