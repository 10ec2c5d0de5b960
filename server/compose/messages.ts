import { addMessageRoutes } from '../http/messages/message.ts'
import { createFirstResultWatch } from '../mailer/queue/first-result.ts'
import { dropOldDeliveries, ensureDeliveryPartitions } from '../store/messages/delivery-partitions.ts'
import { createSendFromEmbed } from '../usecases/embeds/send-from-embed.ts'
import { createBacklog } from '../usecases/messages/backlog.ts'
import type { PageQuery } from '../domain/core/page.ts'
import type { Scope } from '../domain/auth/scope.ts'
import { createGetMessage } from '../usecases/messages/get-message.ts'
import { createResendUnknown } from '../usecases/messages/resend-unknown.ts'
import { createRetryMessage } from '../usecases/messages/retry-message.ts'
import { createSendMail } from '../usecases/messages/send-mail.ts'
import { createWatchMessage } from '../usecases/messages/watch-message.ts'
import { authenticate } from './auth.ts'
import { hourMs, type Noun, type Parts, type ServerParts } from './core/parts.ts'
import { estimator } from './quota.ts'
import { embedStores } from './stores/embeds.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'
import { templateStore } from './templates.ts'
import { workspaceStore } from './workspaces.ts'

/** Waits for the first results of a send. */
export function firstResultWatch({ resolve }: Parts) {
  return createFirstResultWatch({ deliveries: resolve(messageStores).deliveries })
}

function useCases(parts: ServerParts) {
  const { publicUrl, newId, now, tickMs, wakeSender, resolve } = parts
  const { messages, messageList, deliveries } = resolve(messageStores)
  const { mailboxes } = resolve(mailboxStores)
  const sendMail = createSendMail({
    messages,
    templates: resolve(templateStore),
    workspaces: resolve(workspaceStore),
    estimator: resolve(estimator),
    backlog: createBacklog({ deliveries, tickMs }),
    firstResults: resolve(firstResultWatch),
    newId,
    publicUrl,
    wakeSender,
  })
  const getMessage = createGetMessage({ messages })
  const { watchMessage, close } = createWatchMessage({ getMessage, tickMs })
  parts.onStop(close)
  return {
    ...createSendFromEmbed({
      mailboxes,
      embedUsage: resolve(embedStores).embedUsage,
      sendMail,
      wakeSender,
      newId,
      now,
    }),
    findOwnMailbox: resolve(authenticate).ownMailbox,
    sendMail,
    listMessages: (scope: Scope, page: PageQuery) => messageList.list(scope, page),
    getMessage,
    watchMessage,
    retryMessage: createRetryMessage({ messages, deliveries, wakeSender }),
    resendUnknown: createResendUnknown({ messages, deliveries, wakeSender }),
  }
}

export const messages: Noun = {
  addRoutes: (add, parts) => addMessageRoutes(add, useCases(parts)),
  maintenance({ database, settings: { keepMonths } }, system) {
    return [
      { intervalMs: hourMs, run: () => ensureDeliveryPartitions(database.pool) },
      ...(keepMonths === null
        ? []
        : [{ intervalMs: hourMs, run: () => dropOldDeliveries(system, database.pool, keepMonths) }]),
    ]
  },
}
