import type { FastifyReply } from 'fastify'
import type { Scope } from '../../domain/auth/scope.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import type { createSendFromEmbed } from '../../usecases/embeds/send-from-embed.ts'
import type { createAuthenticate } from '../../usecases/auth/authenticate.ts'
import type { createGetMessage, WantedMessage } from '../../usecases/messages/get-message.ts'
import type { createWatchMessage } from '../../usecases/messages/watch-message.ts'
import type { createRetryMessage } from '../../usecases/messages/retry-message.ts'
import type { createResendUnknown } from '../../usecases/messages/resend-unknown.ts'
import type { createSendMail } from '../../usecases/messages/send-mail.ts'
import * as contract from '../../../contract/mail/message.ts'
import { holds } from '../../domain/auth/authorize.ts'
import type { Caller } from '../../domain/auth/caller.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { QueryOf } from '../../../contract/core/operation.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { createGetMessageContent } from '../../usecases/messages/message-content.ts'
import type {
  AttemptReply,
  DeliveryRow,
  ListedMessageRow,
  MessageFilter,
  MessageRow,
  MessageSummaryRow,
} from '../../domain/messages/message.ts'
import { streamUntilRevoked } from '../../usecases/core/stream-until-revoked.ts'
import type { SendInput } from '../../usecases/messages/read-message.ts'
import { eventStream } from '../core/event-stream.ts'
import { answerPage, readIdPage, readPage, setPageHeaders } from '../core/paging.ts'
import type { AddRoute, Call } from '../core/route.ts'
import { toOptions } from './send-options.ts'
import { resentSentence, retriedSentence, sentSentence } from './response-messages.ts'
import { toDelivery } from '../campaigns/campaign-recipients.ts'

/** The use cases of the message calls. */
export interface MessageUseCases extends ReturnType<typeof createSendFromEmbed> {
  findOwnMailbox: ReturnType<typeof createAuthenticate>['ownMailbox']
  sendMail: ReturnType<typeof createSendMail>
  /** Messages of send calls, newest first. */
  listMessages: (scope: Scope, page: PageQuery & MessageFilter) => Promise<Listed<ListedMessageRow>>
  getMessageContent: ReturnType<typeof createGetMessageContent>
  getMessage: ReturnType<typeof createGetMessage>
  watchMessage: ReturnType<typeof createWatchMessage>['watchMessage']
  retryMessage: ReturnType<typeof createRetryMessage>
  resendUnknown: ReturnType<typeof createResendUnknown>
  /** The Message-ID of one recipient's mail. */
  messageIdOf: (delivery: { messageId: string; id: number; fromAddress: string; isGroup: boolean }) => string
}

/** Both send calls, the state of what they accepted (spec §7; decisions, API), and sending once more what is unknown. */
export function addMessageRoutes(add: AddRoute, useCases: MessageUseCases): void {
  const toMessage = (message: MessageRow): contract.Message => ({
    ...toSummary(message),
    ...message.figures,
    deliveries: message.deliveries.map((delivery) => ({
      id: String(delivery.id),
      ...toDelivery(delivery),
      replies: repliesOf(delivery),
      message_id: useCases.messageIdOf({ ...message, messageId: message.id, id: delivery.id }),
    })),
  })

  const send = async (
    mail: contract.ApiMail,
    options: Pick<SendInput, 'scope' | 'mailbox' | 'isHtml' | 'templateKey' | 'wait' | 'isTest' | 'id' | 'origin'>,
    sendMail = useCases.sendMail,
  ) => {
    const { id, acceptedCount, suppressedCount, finishesAt, undoUntil, scheduledAt, warnings } = await sendMail({
      ...options,
      options: toOptions(mail),
      recipients: mail.recipient_list,
      subject: mail.subject,
      content: mail.content,
      context: mail.context ?? {},
      attachments: mail.attachments,
    })
    return {
      message: sentSentence(acceptedCount),
      id,
      accepted: acceptedCount,
      suppressed: suppressedCount,
      finishes_at: finishesAt?.toISOString() ?? null,
      ...(undoUntil && { undo_until: undoUntil.toISOString() }),
      ...(scheduledAt && { scheduled_at: scheduledAt.toISOString() }),
      ...(warnings.length > 0 && { warnings: warnings.map((code) => ({ code, message: warningSentences[code] })) }),
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
      return send(body, { ...options, mailbox, origin: 'embed' }, (input) => useCases.sendFromEmbed(caller, input))
    }
    const mailbox = await useCases.findOwnMailbox(scope, params.secret_key)
    return send(body, { ...options, mailbox, origin: 'dashboard', isTest: body.is_test ?? false })
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
    where: WantedMessage,
    query: Parameters<typeof readIdPage>[0],
    reply: FastifyReply,
  ) => {
    const message = await useCases.getMessage(scope, where, readIdPage(query))
    setPageHeaders(reply, { total: countOf(message), next: message.next })
    return toMessage(message)
  }

  add(contract.listMessages, async ({ query, scope, reply }) =>
    answerPage(
      reply,
      await useCases.listMessages(scope, { ...readPage(query, isRowId, 'cursor_invalid'), ...toFilter(query) }),
      toListed,
    ),
  )

  add(contract.getMessageContent, async ({ params, scope }) => {
    const { subject, html, text, headers } = await useCases.getMessageContent(scope, params.id, params.delivery_id)
    return { subject, html, text, headers }
  })

  add(contract.getMessage, async ({ params, query, caller, scope, reply }) => {
    if (caller.kind === 'embed') await useCases.requireEmbedMessage(scope, caller, params.id)
    return get(scope, { id: params.id, mailboxId: null, withFigures: canReadFigures(caller) }, query, reply)
  })

  add(contract.watchMessage, async ({ params, caller, scope, reply }) => {
    if (caller.kind === 'embed') await useCases.requireEmbedMessage(scope, caller, params.id)
    const progress = await useCases.watchMessage(scope, { id: params.id, withFigures: canReadFigures(caller) })
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

const canReadFigures = (caller: Caller): boolean => holds(caller, 'analytics:read')

const warningSentences = {
  postal_address_missing:
    'The footer has no postal address, which the law requires of mail to many. Set it with PATCH /workspace.',
} as const

/** The first attempt keeps no row of its own if the mail was taken. */
function repliesOf({ attemptReplies, attempts, reply, settledAt }: DeliveryRow): AttemptReply[] {
  const replies = attemptReplies ?? (reply === null || attempts === 0 ? [] : [{ at: settledAt, reply }])
  return replies.flatMap(({ at, reply: text }) =>
    at === null ? [] : [{ at: new Date(at).toISOString(), reply: text }],
  )
}

function countOf(message: MessageRow): number {
  return Object.values(message.counts).reduce((sum, count) => sum + count, 0)
}

function toSummary({ id, fromAddress, subject, createdAt, counts }: MessageSummaryRow): contract.MessageSummary {
  return { id, from: fromAddress, subject, created_at: createdAt.toISOString(), counts }
}

function toFilter(query: QueryOf<typeof contract.listMessages>): MessageFilter {
  const { search = '', origin, config_id: mailboxId, state, from, to } = query
  const words = search.trim().toLowerCase()
  if (mailboxId !== undefined && !isRowId(mailboxId)) throw badPart('config_id', 'is not the id of a mailbox')
  return {
    search: words === '' ? null : words,
    origin: origin ?? null,
    mailboxId: mailboxId ?? null,
    state: state ?? null,
    from: readTime('from', from),
    to: readTime('to', to),
  }
}

function readTime(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw badPart(name, 'is not a time; write it as 2026-01-31T08:00:00Z')
  return time
}

function badPart(name: string, msg: string): AppError {
  return new AppError('validation', { items: [{ loc: ['query', name], msg, type: 'value_error' }] })
}

function toListed(row: ListedMessageRow): contract.ListedMessage {
  const origin = contract.listedOrigins.find((one) => one === row.origin)
  const { recipients, opened, clicked, mailboxId } = row
  return { ...toSummary(row), config_id: mailboxId, recipients, opened, clicked, ...(origin && { origin }) }
}
