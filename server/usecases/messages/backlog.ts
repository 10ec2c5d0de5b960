import { queueMaxCount } from '../../../contract/mail/message.limits.ts'
import { createStaleWhileRevalidate } from '../core/stale-while-revalidate.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { DeliveryStore } from '../../store/messages/delivery.ts'

interface Ports {
  deliveries: Pick<DeliveryStore, 'countWaiting'>
  tickMs: () => number
}

/** Number of queued mails by workspace. */
export interface Backlog {
  /** Approximate: counted every few seconds, since a count costs more than accepting a mail; this process adds what it accepts. */
  count: (scope: Scope) => Promise<number>
  add: (scope: Scope, count: number) => void
}

export function createBacklog({ deliveries, tickMs }: Ports): Backlog {
  const counts = createStaleWhileRevalidate(
    (workspaceId) =>
      deliveries.countWaiting(
        authorize({ kind: 'system', task: 'backlog' }, 'messages:read', workspaceId),
        queueMaxCount + 1,
      ),
    tickMs,
  )
  return {
    async count({ workspaceId }) {
      const reading = counts.get(workspaceId)
      return (await reading.value) + reading.addedCount
    },
    add({ workspaceId }, count) {
      const reading = counts.peek(workspaceId)
      if (reading) reading.addedCount += count
    },
  }
}
