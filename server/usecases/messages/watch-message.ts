import { setTimeout as sleep } from 'node:timers/promises'
import { recipientsMaxCount } from '../../../contract/mail/message.limits.ts'
import type { DeliveryRow, MessageRow } from '../../domain/messages/message.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { WantedMessage } from './get-message.ts'

interface Ports {
  getMessage: (scope: Scope, where: WantedMessage, page: { limit: number; offset: number }) => Promise<MessageRow>
  tickMs: () => number
}

/** Polling interval while states change, and at most while they do not. */
const restMs = 500
const longestRestMs = 10_000
/** Lifetime of a stream; clients reconnect. */
const lifeMs = 15 * 60_000

/** A message whose `deliveries` are those that changed since the last poll; all of them at the first. */
export type MessageProgressRow = MessageRow

type WatchedMessage = Pick<WantedMessage, 'id' | 'withFigures'>

/** Streams the delivery states of a message until all are final. */
export function createWatchMessage({ getMessage, tickMs }: Ports) {
  const closing = new AbortController()
  const isClosing = () => closing.signal.aborted

  return {
    /** Throws `message_not_found` before the first. */
    watchMessage: async (scope: Scope, wanted: WatchedMessage): Promise<AsyncGenerator<MessageProgressRow>> => {
      const look = () => getMessage(scope, { ...wanted, mailboxId: null }, { limit: recipientsMaxCount, offset: 0 })
      return watch(look, await look())
    },

    /** Ends all streams: the server stops. */
    close: () => closing.abort(),
  }

  async function* watch(look: () => Promise<MessageRow>, first: MessageRow): AsyncGenerator<MessageProgressRow> {
    const shown = new Map<number, string>()
    const changed = (rows: readonly DeliveryRow[]) =>
      rows.filter((row) => {
        const text = `${row.state} ${row.attempts}`
        const isNew = shown.get(row.id) !== text
        shown.set(row.id, text)
        return isNew
      })
    yield { ...first, deliveries: changed(first.deliveries) }
    const endsAtMs = tickMs() + lifeMs
    let waitMs = restMs
    for (let last = first; isMoving(last) && tickMs() < endsAtMs && !isClosing();) {
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined) // Rejects when the server stops.
      if (isClosing()) return
      last = await look()
      const deliveries = changed(last.deliveries)
      waitMs = deliveries.length > 0 ? restMs : Math.min(waitMs * 1.5, longestRestMs)
      if (deliveries.length > 0) yield { ...last, deliveries }
    }
  }
}

function isMoving({ counts }: MessageRow): boolean {
  return counts.queued + counts.sending + counts.deferred > 0
}
