import * as contract from '../../../contract/mail/send/scheduled-message.ts'
import type { ScheduledSummaryRow } from '../../domain/messages/scheduled-message.ts'
import type { ScheduledMessage, ScheduledMessages } from '../../usecases/messages/scheduled-messages.ts'
import type { PreviewMail } from '../../usecases/messages/preview-mail.ts'
import type { SendTest } from '../../usecases/messages/send-test.ts'
import type { createSendFromEmbed } from '../../usecases/embeds/send-from-embed.ts'
import { answerPage, readPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'
import { sentSentence } from './response-messages.ts'
import { toOptions } from './send-options.ts'

/** The use cases of the calls of messages that have not left. */
export interface ScheduledUseCases extends ScheduledMessages {
  sendTest: SendTest
  previewMail: PreviewMail
  requireEmbedMessage: ReturnType<typeof createSendFromEmbed>['requireEmbedMessage']
}

/** Scheduled messages, undo, and tests. */
export function addScheduledMessageRoutes(add: AddRoute, useCases: ScheduledUseCases): void {
  add(contract.listScheduledMessages, async ({ query, scope, reply }) =>
    answerPage(reply, await useCases.listScheduled(scope, readPage(query)), toSummary),
  )

  add(contract.getScheduledMessage, async ({ params, scope }) =>
    toMessage(await useCases.getScheduled(scope, params.id)),
  )

  add(contract.updateScheduledMessage, async ({ params, body, scope }) => {
    const { subject, content, context, recipient_list: recipients } = body
    const change = { subject, content, context, recipients, ...toOptions(body) }
    return toMessage(await useCases.updateScheduled(scope, params.id, change))
  })

  add(contract.cancelMessage, async ({ params, scope }) => ({
    cancelled: await useCases.cancelMessage(scope, params.id),
  }))

  add(contract.undoMessage, async ({ params, caller, scope }) => {
    if (caller.kind === 'embed') await useCases.requireEmbedMessage(scope, caller, params.id)
    return { cancelled: await useCases.undoMessage(scope, params.id) }
  })

  add(contract.sendTestMail, async ({ body, scope, resourceId }) => {
    const { config_id: mailboxId, to, as_recipient: asRecipient = {}, subject, content, context = {} } = body
    const mail = { mailboxId, to, asRecipient, subject, content, context, options: toOptions(body) }
    const { id, acceptedCount } = await useCases.sendTest(scope, mail, resourceId)
    return { message: sentSentence(acceptedCount), id }
  })

  add(contract.previewMail, ({ body, scope }) => {
    const { recipient, is_to_many: isToMany = false, subject, content, context = {} } = body
    return useCases.previewMail(scope, { recipient, isToMany, subject, content, context, options: toOptions(body) })
  })
}

function toSummary(row: ScheduledSummaryRow): contract.ScheduledSummary {
  return {
    ...toWire(row, ['id', 'subject', 'scheduledAt', 'timezone', 'createdAt']),
    from: row.fromAddress,
    recipients: row.recipientCount,
  }
}

function toMessage(row: ScheduledMessage): contract.ScheduledMessage {
  return {
    ...toSummary(row),
    ...toWire(row, ['mode', 'preheader', 'fromName', 'replyTo', 'kind', 'content', 'context', 'cc', 'bcc']),
    design: row.design,
    config_id: row.mailboxId,
    recipient_list: row.to,
  }
}
