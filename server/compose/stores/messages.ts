import { createDeliveryQueue } from '../../store/messages/delivery-queue.ts'
import { createDeliveryStore } from '../../store/messages/delivery.ts'
import { createMessageList } from '../../store/messages/message-list.ts'
import { createMessageStore } from '../../store/messages/message.ts'
import type { Parts } from '../core/parts.ts'
import { authorizeAll } from '../../domain/auth/authorize.ts'
import { bindScope } from '../../domain/auth/scope.ts'

/** Messages without metrics: account mails and campaigns are written through it. */
export function messageStore({ database, vault }: Parts) {
  return createMessageStore(database, vault)
}

const system = authorizeAll({ kind: 'system', task: 'sender' })

/** Messages, their deliveries and the queue, with metrics. */
export function messageStores({ database, clock, metrics, resolve }: Parts) {
  const messages = resolve(messageStore)
  const accept = metrics.timeAccept((...given: Parameters<typeof messages.accept>) => messages.accept(...given))
  return {
    messages: { ...messages, accept },
    messageList: createMessageList(database.pool),
    deliveries: createDeliveryStore(database.pool),
    queue: metrics.countOutcomes(bindScope(createDeliveryQueue(database.pool, clock), system)),
  }
}
