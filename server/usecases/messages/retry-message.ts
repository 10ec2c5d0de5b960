import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'

interface Ports {
  messages: { exists: (where: { id: string; workspaceId: string }) => Promise<boolean> }
  deliveries: {
    /** Puts what was refused of a message back into the queue, but who must not be written to. */
    requeueFailed: (messageId: string) => Promise<{ requeued: { mailboxId: string }[]; suppressedCount: number }>
  }
  wakeSender: (mailboxId: string) => void
}

/** How many are sent to again, and how many were refused and are on the list of suppressions since. */
export interface RetriedCounts {
  resentCount: number
  suppressedCount: number
}

/** Sends once more to those, and only those, whose mail was refused. Throws `message_not_found`. */
export function createRetryMessage({ messages, deliveries, wakeSender }: Ports) {
  return async (where: { id: string; workspaceId: string }): Promise<RetriedCounts> => {
    if (!isRowId(where.id) || !(await messages.exists(where))) throw new AppError('message_not_found')
    const { requeued, suppressedCount } = await deliveries.requeueFailed(where.id)
    const [first] = requeued
    if (first) wakeSender(first.mailboxId)
    return { resentCount: requeued.length, suppressedCount }
  }
}
