import type { FastifyReply } from 'fastify'
import type { Scope } from '../../domain/auth/scope.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import type { createSendFromEmbed } from '../../usecases/embeds/send-from-embed.ts'
import type { createAuthenticate } from '../../usecases/auth/authenticate.ts'
import type { createGetMessage } from '../../usecases/messages/get-message.ts'
import type { createWatchMessage } from '../../usecases/messages/watch-message.ts'
import type { createRetryMessage } from '../../usecases/messages/retry-message.ts'
import type { createResendUnknown } from '../../usecases/messages/resend-unknown.ts'
import type { createSendMail } from '../../usecases/messages/send-mail.ts'
import * as contract from '../../../contract/mail/message.ts'
import { messageIdOf } from '../../domain/messages/message-id.ts'
import type { MessageRow, MessageSummaryRow } from '../../domain/messages/message.ts'
import { streamUntilRevoked } from '../../usecases/core/stream-until-revoked.ts'
import type { SendInput } from '../../usecases/messages/send-mail.ts'
import { eventStream } from '../core/event-stream.ts'
import { answerPage, readIdPage, readPage, setPageHeaders } from '../core/paging.ts'
import type { AddRoute, Call } from '../core/route.ts'
import { resentSentence, retriedSentence, sentSentence } from './response-messages.ts'
import { toDelivery } from '../campaigns/campaign-recipients.ts'

/** The use cases of the message calls. */
export interface MessageUseCases extends ReturnType<typeof createSendFromEmbed> {
  findOwnMailbox: ReturnType<typeof createAuthenticate>['ownMailbox']
  sendMail: ReturnType<typeof createSendMail>
  /** Messages of send calls, newest first. */
  listMessages: (scope: Scope, page: PageQuery) => Promise<Listed<MessageSummaryRow>>
  getMessage: ReturnType<typeof createGetMessage>
  watchMessage: ReturnType<typeof createWatchMessage>['watchMessage']
  retryMessage: ReturnType<typeof createRetryMessage>
  resendUnknown: ReturnType<typeof createResendUnknown>
}

/** Both send calls, the state of what they accepted (spec §7; decisions, API), and sending once more what is unknown. */
export function addMessageRoutes(add: AddRoute, useCases: MessageUseCases): void {
  const send = async (
    mail: contract.ApiMail,
    options: Pick<SendInput, 'scope' | 'mailbox' | 'isHtml' | 'templateKey' | 'wait' | 'isTest' | 'id'>,
    sendMail = useCases.sendMail,
  ) => {
    const { id, acceptedCount, suppressedCount, finishesAt } = await sendMail({
      ...options,
      recipients: mail.recipient_list,
      subject: mail.subject,
      content: mail.content,
      context: mail.context ?? {},
    })
    return {
      message: sentSentence(acceptedCount),
      id,
      accepted: acceptedCount,
      suppressed: suppressedCount,
      finishes_at: finishesAt?.toISOString() ?? null,
    }
  }

  add(contract.sendMailWithKey, async ({ params, query, body, caller, scope, resourceId }) => {
    const options = {
      scope,
      isHtml: true,
      templateKey: query.template_key,
      wait: 'small',
      id: resourceId,
    } as const
    if (caller.kind === 'embed') {
      const mailbox = await useCases.findEmbedMailbox(scope, caller, params.secret_key)
      return send(body, { ...options, mailbox }, (input) => useCases.sendFromEmbed(caller, input))
    }
    const mailbox = await useCases.findOwnMailbox(scope, params.secret_key)
    return send(body, { ...options, mailbox, isTest: body.is_test ?? false })
  })

  const sendWithKey = ({
    query,
    body,
    caller,
    scope,
    resourceId,
    request,
  }: Call<typeof contract.sendMailWithKeyApi>) => {
    const asksToWait = /(^|[,\s])wait=\d/.test([request.headers['prefer']].flat().join(','))
    const isHtml = body.is_html ?? false
    return send(body, {
      scope,
      mailbox: caller.mailbox,
      isHtml,
      templateKey: query.template_key,
      wait: asksToWait ? 'always' : 'never',
      id: resourceId,
    })
  }
  add(contract.sendMailWithKeyApi, sendWithKey, { canUseCachedMailbox: true })

  const get = async (
    scope: Scope,
    where: { id: string; mailboxId: string | null },
    query: Parameters<typeof readIdPage>[0],
    reply: FastifyReply,
  ) => {
    const message = await useCases.getMessage(scope, where, readIdPage(query))
    setPageHeaders(reply, { total: countOf(message), next: message.next })
    return toMessage(message)
  }

  add(contract.listMessages, async ({ query, scope, reply }) =>
    answerPage(reply, await useCases.listMessages(scope, readPage(query)), toSummary),
  )

  add(contract.getMessage, async ({ params, query, caller, scope, reply }) => {
    if (caller.kind === 'embed') await useCases.requireEmbedMessage(scope, caller, params.id)
    return get(scope, { id: params.id, mailboxId: null }, query, reply)
  })

  add(contract.watchMessage, async ({ params, caller, scope, reply }) => {
    if (caller.kind === 'embed') await useCases.requireEmbedMessage(scope, caller, params.id)
    const progress = await useCases.watchMessage(scope, params.id)
    return eventStream(
      reply,
      'progress',
      caller.kind === 'embed' ? streamUntilRevoked(progress, caller.isLive) : progress,
      toMessage,
    )
  })

  add(contract.retryMessage, async ({ params, caller, scope }) => {
    const retried = await (caller.kind === 'embed'
      ? useCases.retryFromEmbed(scope, caller, params.id)
      : useCases.retryMessage(scope, params.id))
    return { message: retriedSentence(retried), resent: retried.resentCount, suppressed: retried.suppressedCount }
  })

  add(contract.resendMessage, async ({ params, body, scope }) => {
    const { resentCount } = await useCases.resendUnknown(scope, params.id, body.recipient_list ?? null)
    return { message: resentSentence(resentCount), resent: resentCount }
  })

  add(contract.getMessageApi, async ({ params, query, caller, scope, reply }) => {
    return get(scope, { id: params.id, mailboxId: caller.mailbox.mailboxId }, query, reply)
  })
}

function countOf(message: MessageRow): number {
  return Object.values(message.counts).reduce((sum, count) => sum + count, 0)
}

function toSummary({ id, fromAddress, subject, createdAt, counts }: MessageSummaryRow): contract.MessageSummary {
  return { id, from: fromAddress, subject, created_at: createdAt.toISOString(), counts }
}

function toMessage(message: MessageRow): contract.Message {
  return {
    ...toSummary(message),
    deliveries: message.deliveries.map((delivery) => ({
      ...toDelivery(delivery),
      message_id: messageIdOf({ messageId: message.id, id: delivery.id, fromAddress: message.fromAddress }),
    })),
  }
}
