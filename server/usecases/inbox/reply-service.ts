import { AppError } from '../../../contract/core/errors.ts'
import type { Answer, ReplyChanges } from '../../../contract/inbox/reply.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { NewEvent } from '../../domain/events/new-event.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import type {
  InboxFilter,
  InboxMailRow,
  InboxMailStore,
  ReplyCounts,
  WholeInboxMailRow,
} from '../../store/inbox/inbox-mail.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { SuppressionStore } from '../../store/suppressions/suppression.ts'
import type { LiveStreams } from '../core/live-streams.ts'
import type { createGetMessageContent } from '../messages/message-content.ts'

interface Ports {
  inboxMails: InboxMailStore
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  messages: Pick<MessageStore, 'accept' | 'findAccepted'>
  /** A mail as it was sent to one recipient; throws `content_gone` where it was deleted. */
  getMessageContent: ReturnType<typeof createGetMessageContent>
  suppressions: Pick<SuppressionStore, 'add'>
  live: Pick<LiveStreams, 'stream'>
  wakeSender: (mailbox: MailboxKey) => void
  newId: () => string
  now: () => Date
}

const idShape = /^\d{1,15}$/
/** Every dashboard follows the counts; a deleted contact or an old mail changes them without a notification. */
const countsUnnotifiedMs = 60_000
const quotedMaxChars = 20_000

export type { ReplyCounts }

/** A reply in a list. */
export type ReplySummaryRow = InboxMailRow

/** A reply with the mail that it answers and the answer to it. */
export type ReplyRow = InboxMailRow & {
  sent: {
    subject: string
    content: string
    isHtml: boolean
    sentAt: Date
    openedAt: Date | null
    clickCount: number
  } | null
  answer: { messageId: string; text: string; at: Date } | null
}

/** Replies and what people do with them. Each function throws `reply_not_found`. */
export function createReplyService(ports: Ports) {
  const { inboxMails, mailboxes, messages, getMessageContent, suppressions, live, wakeSender, newId, now } = ports

  const find = async (scope: Scope, id: string): Promise<WholeInboxMailRow> => {
    const row = idShape.test(id) ? await inboxMails.find(scope, id) : null
    if (row === null) throw new AppError('reply_not_found')
    return row
  }

  /** The mail that a reply answers, as its recipient got it; null where its content was deleted. */
  const findSent = async (scope: Scope, row: WholeInboxMailRow): Promise<ReplyRow['sent']> => {
    try {
      const { subject, html, text, sentAt } = await getMessageContent(scope, row.messageId, String(row.deliveryId))
      const { openedAt, clickCount } = row
      return {
        ...{ subject, content: html ?? text, isHtml: html !== null, sentAt: sentAt ?? row.receivedAt },
        ...{ openedAt, clickCount },
      }
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  const getReply = async (scope: Scope, id: string): Promise<ReplyRow> => {
    const row = await find(scope, id)
    const [sent, answer] = await Promise.all([
      findSent(scope, row),
      row.answerMessageId === null ? null : inboxMails.findContent(scope, row.answerMessageId),
    ])
    return {
      ...row,
      sent,
      answer: answer && { messageId: row.answerMessageId ?? '', text: answer.content, at: answer.createdAt },
    }
  }

  const settle = async (scope: Scope, id: string, to: 'confirmed' | 'refused', event: NewEvent | null) => {
    if (!(await inboxMails.settle(scope, id, to, event))) throw new AppError('reply_settled')
  }

  return {
    listReplies: (scope: Scope, filter: InboxFilter, page: { limit: number; afterId?: number | null }) =>
      inboxMails.list(scope, filter, page),

    countReplies: (scope: Scope) => inboxMails.counts(scope),

    /** The counts now and after each change. */
    watchReplyCounts: (scope: Scope): Promise<AsyncGenerator<ReplyCounts>> =>
      live.stream(
        scope.workspaceId,
        async (shown) => {
          const counts = await inboxMails.counts(scope)
          const version = JSON.stringify(counts)
          return { version, value: version === shown ? null : counts }
        },
        { unnotifiedMs: countsUnnotifiedMs },
      ),

    getReply,

    async updateReply(scope: Scope, id: string, changes: ReplyChanges): Promise<ReplyRow> {
      await find(scope, id)
      await inboxMails.mark(scope, id, { isRead: changes.is_read ?? null, isArchived: changes.is_archived ?? null })
      return getReply(scope, id)
    },

    /** Throws `reply_settled`, too. */
    async confirmReply(scope: Scope, id: string): Promise<ReplyRow> {
      const row = await find(scope, id)
      await settle(scope, id, 'confirmed', row.kind === 'reply' ? replied(row) : null)
      return getReply(scope, id)
    },

    /** Throws `reply_settled`, too. */
    async rejectReply(scope: Scope, id: string): Promise<void> {
      await find(scope, id)
      await settle(scope, id, 'refused', null)
    },

    async unsubscribePerson(scope: Scope, id: string): Promise<void> {
      const { recipient, fromAddress, campaignId } = await find(scope, id)
      const email = (recipient !== null && recipient !== '' ? recipient : fromAddress).toLowerCase()
      await suppressions.add(scope, [{ email, reason: 'unsubscribed', campaignId }])
    },

    async deleteReply(scope: Scope, id: string): Promise<void> {
      await find(scope, id)
      await inboxMails.remove(scope, id)
    },

    /** Throws `mailbox_paused`, `config_not_found`, and `validation` for a person to whom nothing is sent. */
    async answerReply(
      scope: Scope,
      id: string,
      { text, is_done: isDone = false }: Answer,
      messageId: string | null,
    ): Promise<ReplyRow> {
      const row = await find(scope, id)
      const [mailbox] = await mailboxes.findMailboxes(scope, [row.mailboxId])
      if (mailbox === undefined) throw new AppError('config_not_found')
      if (mailbox.pause?.until === null) {
        throw new AppError('mailbox_paused', { detail: mailbox.pause.reason })
      }
      const message = answerOf(row, text, { id: messageId ?? newId(), mailboxAddress: mailbox.address, at: now() })
      const accepted = (await messages.accept(scope, message)) ?? (await messages.findAccepted(scope, message.id))
      if (accepted === null) throw new AppError('config_not_found')
      if (accepted.suppressedCount > 0) {
        const msg =
          'Nothing is sent to this person any more: the address is suppressed. Remove it from Suppressions first.'
        throw new AppError('validation', { items: [{ loc: ['path', 'id'], msg, type: 'suppressed' }] })
      }
      await inboxMails.setAnswer(scope, id, message.id)
      if (isDone) await inboxMails.mark(scope, id, { isRead: true, isArchived: true })
      wakeSender(mailbox)
      return getReply(scope, id)
    },
  }
}

function replied({ id, messageId, deliveryMonth, deliveryId, contactId, receivedAt }: InboxMailRow): NewEvent {
  return {
    kind: 'replied',
    at: receivedAt,
    messageId,
    deliveryMonth,
    deliveryId,
    contactId: contactId ?? undefined,
    detail: { inbox_mail_id: String(id) },
  }
}

/** The answer as a mail: from the mailbox that got the reply, in its thread, as plain text with the quotation. */
function answerOf(
  row: InboxMailRow,
  text: string,
  { id, mailboxAddress, at }: { id: string; mailboxAddress: string; at: Date },
): NewMessage {
  const { message_id: replyId, references = '', reply_to: replyTo, from_name: name } = row.detail
  const ids = [...new Set([...references.split(' '), replyId ?? ''])].filter((one) => one !== '')
  const subject = /^(?:re|aw|sv|odp)\s?:/i.test(row.subject) ? row.subject : `Re: ${row.subject}`
  const quoted = row.excerpt
    .slice(0, quotedMaxChars)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  const who = name ?? row.fromAddress
  return {
    id,
    mailboxId: row.mailboxId,
    fromAddress: mailboxAddress,
    subject: escapeMerge(subject),
    content: escapeMerge(`${text}\n\nOn ${at.toISOString().slice(0, 10)}, ${who} wrote:\n${quoted}`),
    isHtml: false,
    context: {},
    sealContext: false,
    recipients: [replyTo ?? row.fromAddress],
    obeysSuppressions: true,
    origin: 'reply',
    options: { tracking: 'off' },
    ...(ids.length > 0 && {
      extraHeaders: [
        ...(replyId === undefined ? [] : [{ name: 'In-Reply-To', value: `<${escapeMerge(replyId)}>` }]),
        { name: 'References', value: ids.map((one) => `<${escapeMerge(one)}>`).join(' ') },
      ],
    }),
  }
}

/** Braces of a person's text are no merge variables. */
const escapeMerge = (text: string) => text.replaceAll('{{', '{\u200b{')
