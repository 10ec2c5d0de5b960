import { addMessageRoutes } from '../http/messages/message.ts'
import { createFirstResultWatch } from '../mailer/queue/first-result.ts'
import { dropOldDeliveries, ensureDeliveryPartitions } from '../store/messages/delivery-partitions.ts'
import { createSendFromEmbed } from '../usecases/embeds/send-from-embed.ts'
import { createBacklog } from '../usecases/messages/backlog.ts'
import { textAlternativeOf } from '../mailer/mime/text-alternative.ts'
import { createListMessages } from '../usecases/messages/list-messages.ts'
import { createGetMessageContent } from '../usecases/messages/message-content.ts'
import { messageIdOf } from '../domain/messages/message-id.ts'
import { createGetMessage } from '../usecases/messages/get-message.ts'
import { createResendUnknown } from '../usecases/messages/resend-unknown.ts'
import { createRetryMessage } from '../usecases/messages/retry-message.ts'
import { createReadMessage } from '../usecases/messages/read-message.ts'
import { createScheduledMessages } from '../usecases/messages/scheduled-messages.ts'
import { createPreviewMail } from '../usecases/messages/preview-mail.ts'
import { createSendTest } from '../usecases/messages/send-test.ts'
import { createInlineImages } from '../store/images/inline-images.ts'
import { createScheduledMessageStore } from '../store/messages/scheduled-message.ts'
import { addScheduledMessageRoutes } from '../http/messages/scheduled-message.ts'
import { createSendMail } from '../usecases/messages/send-mail.ts'
import { createWatchMessage } from '../usecases/messages/watch-message.ts'
import { attachmentService } from './files/attachments.ts'
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

/** Reads a mail as it was sent to one recipient. */
export function getMessageContent({ resolve, vault, publicUrl }: ServerParts) {
  const { messages, messageList } = resolve(messageStores)
  return createGetMessageContent({
    messages,
    messageList,
    textOf: textAlternativeOf,
    messageIdOf: (delivery) => messageIdOf(vault.linkKeys[0], delivery),
    publicUrl,
  })
}

/** The calls that send mails and read them. */
export function messageUseCases(parts: ServerParts) {
  const { publicUrl, newId, now, tickMs, wakeSender, resolve } = parts
  const { messages, messageList, deliveries } = resolve(messageStores)
  const { mailboxes } = resolve(mailboxStores)
  const nameOf = (delivery: Parameters<typeof messageIdOf>[1]) => messageIdOf(parts.vault.linkKeys[0], delivery)
  const sendMail = createSendMail({
    messages,
    templates: resolve(templateStore),
    attachments: resolve(attachmentService),
    workspaces: resolve(workspaceStore),
    estimator: resolve(estimator),
    backlog: createBacklog({ deliveries, tickMs }),
    firstResults: resolve(firstResultWatch),
    newId,
    publicUrl,
    wakeSender,
    now,
    ensureMonth: (at) => ensureDeliveryPartitions(parts.database.pool, at),
  })
  const getMessage = createGetMessage({ messages, messageList })
  const { watchMessage, close } = createWatchMessage({ getMessage, tickMs })
  parts.onStop(close)
  const ensureMonth = (at: Date) => ensureDeliveryPartitions(parts.database.pool, at)
  const readMessage = createReadMessage({
    ...{ newId, now, publicUrl },
    templates: resolve(templateStore),
    workspaces: resolve(workspaceStore),
  })
  const inlineImages = createInlineImages(parts.database)
  const scheduled = createScheduledMessageStore(parts.database, messages)
  return {
    ...createScheduledMessages({ messages, scheduled, mailboxes, readMessage, ensureMonth }),
    sendTest: createSendTest({ mailboxes, sendMail }),
    previewMail: createPreviewMail({
      workspaces: resolve(workspaceStore),
      publicUrl,
      nameAttached: async (scope, html) => (await inlineImages(scope, html)).html,
      textOf: textAlternativeOf,
    }),
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
    listMessages: createListMessages({ messageList }),
    getMessageContent: resolve(getMessageContent),
    getMessage,
    watchMessage,
    retryMessage: createRetryMessage({ messages, deliveries, wakeSender }),
    resendUnknown: createResendUnknown({ messages, deliveries, wakeSender }),
    messageIdOf: nameOf,
  }
}

export const messages: Noun = {
  addRoutes(add, parts) {
    const calls = parts.resolve(messageUseCases)
    addMessageRoutes(add, calls)
    addScheduledMessageRoutes(add, calls)
  },
  maintenance({ database, settings: { keepMonths } }, system) {
    return [
      { intervalMs: hourMs, run: () => ensureDeliveryPartitions(database.pool) },
      ...(keepMonths === null
        ? []
        : [{ intervalMs: hourMs, run: () => dropOldDeliveries(system, database.pool, keepMonths) }]),
    ]
  },
}
