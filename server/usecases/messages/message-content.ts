import { AppError } from '../../../contract/core/errors.ts'
import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  mergeContexts,
  parseTemplate,
  type MergeContext,
  type TemplatePart,
} from '../../../contract/mail/merge-variables.ts'
import { baseVariable, preferencesVariable, unsubscribeVariable } from '../../domain/campaigns/campaign-mail.ts'
import { unsubscribePath } from '../../domain/suppressions/unsubscribe-link.ts'
import { preferencesPath } from '../../domain/tracking/mail-link.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { SentMail, SentMailRow } from '../../domain/messages/message.ts'
import type { createMessageList } from '../../store/messages/message-list.ts'
import type { MessageStore } from '../../store/messages/message.ts'

interface Ports {
  messages: Pick<MessageStore, 'exists'>
  messageList: Pick<ReturnType<typeof createMessageList>, 'findSentMail'>
  /** Message-ID of a mail. */
  messageIdOf: (mail: { messageId: string; id: number; fromAddress: string; isGroup: boolean }) => string
  /** The text part of HTML. */
  textOf: (html: readonly TemplatePart[]) => readonly TemplatePart[]
  publicUrl: string
}

/** In place of the token of a recipient's own links: with it, the reader could act for the recipient. */
const hiddenToken = '…'

/** A mail as it was sent to one recipient. Throws `message_not_found` and `content_gone`. */
export function createGetMessageContent({ messages, messageList, messageIdOf, textOf, publicUrl }: Ports) {
  return async (scope: Scope, id: string, deliveryId: string): Promise<SentMail> => {
    if (!isRowId(id) || !(await messages.exists(scope, id))) throw new AppError('message_not_found')
    const number = /^\d{1,15}$/.test(deliveryId) ? Number(deliveryId) : 0
    const row = await messageList.findSentMail(scope, { id, deliveryId: number })
    if (row === null) throw new AppError('content_gone')
    const { fromAddress, group } = row
    const messageId = messageIdOf({ messageId: id, id: number, fromAddress, isGroup: group !== null })
    return fill(row, messageId, { textOf, base: row.linkBase ?? String(row.context[baseVariable] ?? publicUrl) })
  }
}

function fill(
  row: SentMailRow,
  messageId: string,
  { textOf, base }: { textOf: Ports['textOf']; base: string },
): SentMail {
  const values: MergeContext = {
    ...mergeContexts(row.context, row.ownContext),
    [unsubscribeVariable]: base + unsubscribePath + hiddenToken,
    [preferencesVariable]: base + preferencesPath + hiddenToken,
  }
  const header = (text: string) => escapeHeader(fillTemplate(parseTemplate(text), values)).trim()
  const content = parseTemplate(row.content)
  const subject = header(row.subject)
  const text =
    row.isHtml && row.textPart !== null ? parseTemplate(row.textPart) : row.isHtml ? textOf(content) : content
  return {
    subject,
    html: row.isHtml ? fillTemplate(content, values, escapeHtml) : null,
    text: fillTemplate([...text], values),
    headers: [
      { name: 'From', value: senderOf(row) },
      ...recipientHeaders(row),
      ...(row.replyTo === null ? [] : [{ name: 'Reply-To', value: row.replyTo }]),
      { name: 'Subject', value: subject },
      { name: 'Message-ID', value: messageId },
      ...(row.sentAt === null ? [] : [{ name: 'Date', value: row.sentAt.toUTCString().replace('GMT', '+0000') }]),
      ...row.extraHeaders.map(({ name, value }) => ({ name, value: header(value) })),
    ],
    sentAt: row.sentAt,
  }
}

function senderOf({ fromAddress, fromName }: SentMailRow): string {
  const name = (fromName ?? '').trim()
  return name === '' ? fromAddress : `"${name.replaceAll(/["\\]/g, '\\$&')}" <${fromAddress}>`
}

function recipientHeaders({ group, recipient }: SentMailRow): SentMail['headers'] {
  if (group === null) return [{ name: 'To', value: recipient }]
  const to = group.to.length > 0 ? group.to : group.cc.length > 0 ? [] : ['undisclosed-recipients:;']
  return [
    ...(to.length > 0 ? [{ name: 'To', value: to.join(', ') }] : []),
    ...(group.cc.length > 0 ? [{ name: 'Cc', value: group.cc.join(', ') }] : []),
  ]
}
