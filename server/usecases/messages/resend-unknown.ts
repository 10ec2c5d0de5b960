import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'

interface Ports {
  messages: { exists: (where: { id: string; workspaceId: string }) => Promise<boolean> }
  deliveries: {
    /** Puts what is unknown of a message back into the queue; of these addresses only, or (null) of all. */
    requeueUnknown: (messageId: string, addresses: readonly string[] | null) => Promise<{ mailboxId: string }[]>
  }
  wakeSender: (mailboxId: string) => void
}

/**
 * Sends once more what nobody can say whether it was taken: a person has decided so, and the recipient may get it twice.
 * Each delivery goes out under the Message-ID that it had. Gives how many. Throws `message_not_found`.
 */
export function createResendUnknown({ messages, deliveries, wakeSender }: Ports) {
  return async (
    where: { id: string; workspaceId: string },
    addresses: readonly string[] | null,
  ): Promise<{ resentCount: number }> => {
    if (!isRowId(where.id) || !(await messages.exists(where))) throw new AppError('message_not_found')
    const requeued = await deliveries.requeueUnknown(where.id, addresses)
    const [first] = requeued
    if (first) wakeSender(first.mailboxId)
    return { resentCount: requeued.length }
  }
}
