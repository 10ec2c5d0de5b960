import { AppError } from '../../contract/errors.ts'
import { isRowId } from '../domain/id.ts'

interface Ports {
  messages: { exists: (where: { id: string; workspaceId: string }) => Promise<boolean> }
  deliveries: {
    /** Puts what was refused of a message back into the queue. */
    requeueFailed: (messageId: string) => Promise<{ configId: string }[]>
  }
  wakeSender: (configId: string) => void
}

/** Sends once more to those, and only those, whose mail was refused. Gives how many. Throws `message_not_found`. */
export function createRetryMessage({ messages, deliveries, wakeSender }: Ports) {
  return async (where: { id: string; workspaceId: string }): Promise<{ resentCount: number }> => {
    if (!isRowId(where.id) || !(await messages.exists(where))) throw new AppError('message_not_found')
    const requeued = await deliveries.requeueFailed(where.id)
    const [first] = requeued
    if (first) wakeSender(first.configId)
    return { resentCount: requeued.length }
  }
}
