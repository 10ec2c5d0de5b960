import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { DeliveryStore } from '../../store/messages/delivery.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  messages: Pick<MessageStore, 'exists'>
  deliveries: Pick<DeliveryStore, 'requeueUnknown'>
  wakeSender: (mailbox: MailboxKey) => void
}

/**
 * Sends deliveries with an unknown result again, at a user's request; recipients may receive them twice. Each keeps its
 * Message-ID. Returns how many. Throws `message_not_found`.
 */
export function createResendUnknown({ messages, deliveries, wakeSender }: Ports) {
  return async (scope: Scope, id: string, addresses: readonly string[] | null): Promise<{ resentCount: number }> => {
    if (!isRowId(id) || !(await messages.exists(scope, id))) throw new AppError('message_not_found')
    const requeued = await deliveries.requeueUnknown(scope, id, addresses)
    const [first] = requeued
    if (first) wakeSender({ workspaceId: scope.workspaceId, mailboxId: first.mailboxId })
    return { resentCount: requeued.length }
  }
}
