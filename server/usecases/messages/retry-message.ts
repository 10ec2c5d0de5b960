import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { DeliveryStore } from '../../store/messages/delivery.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  messages: Pick<MessageStore, 'exists'>
  deliveries: Pick<DeliveryStore, 'requeueFailed'>
  wakeSender: (mailbox: MailboxKey) => void
}

/** How many are sent to again, and how many were refused and are on the list of suppressions since. */
export interface RetriedCounts {
  resentCount: number
  suppressedCount: number
}

/** Sends once more to those, and only those, whose mail was refused. Throws `message_not_found`. */
export function createRetryMessage({ messages, deliveries, wakeSender }: Ports) {
  return async (scope: Scope, id: string): Promise<RetriedCounts> => {
    if (!isRowId(id) || !(await messages.exists(scope, id))) throw new AppError('message_not_found')
    const { requeued, suppressedCount } = await deliveries.requeueFailed(scope, id)
    const [first] = requeued
    if (first) wakeSender({ workspaceId: scope.workspaceId, mailboxId: first.mailboxId })
    return { resentCount: requeued.length, suppressedCount }
  }
}
