import * as contract from '../../../contract/inbox/reply.ts'
import { mailboxLink } from '../../domain/inbox/mailbox-link.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { createReplyService, ReplyCounts, ReplyRow, ReplySummaryRow } from '../../usecases/inbox/reply-service.ts'
import { eventStream } from '../core/event-stream.ts'
import { readIdPage, setPageHeaders } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'

const firstWordsMaxChars = 160
const noId = '00000000-0000-0000-0000-000000000000'

/** `/email/replies`. */
export function addReplyRoutes(add: AddRoute, useCases: ReturnType<typeof createReplyService>): void {
  add(contract.listReplies, async ({ query, scope, reply }) => {
    const { view, kind, match, campaign_id: campaignId, contact_id: contactId, config_id: mailboxId } = query
    const page = readIdPage(query, 'cursor_invalid')
    const filter = {
      view,
      kind,
      match,
      // An id that cannot exist finds nothing.
      campaignId: campaignId === undefined || isRowId(campaignId) ? campaignId : noId,
      contactId: contactId === undefined || /^\d{1,15}$/.test(contactId) ? contactId : '0',
      mailboxId: mailboxId === undefined || isRowId(mailboxId) ? mailboxId : noId,
    }
    const found = await useCases.listReplies(scope, filter, page)
    setPageHeaders(reply, found)
    return found.rows.map(toSummary)
  })

  add(contract.countUnreadReplies, async ({ scope }) => toCounts(await useCases.countReplies(scope)))

  add(contract.watchReplyCounts, async ({ scope, reply }) =>
    eventStream(reply, 'replies', await useCases.watchReplyCounts(scope), toCounts),
  )

  add(contract.getReply, async ({ params, scope }) => toReply(await useCases.getReply(scope, params.id)))

  add(contract.updateReply, async ({ params, body, scope }) =>
    toReply(await useCases.updateReply(scope, params.id, body)),
  )

  add(contract.confirmReply, async ({ params, scope }) => toReply(await useCases.confirmReply(scope, params.id)))

  add(contract.rejectReply, ({ params, scope }) => useCases.rejectReply(scope, params.id))

  add(contract.unsubscribeReply, ({ params, scope }) => useCases.unsubscribePerson(scope, params.id))

  add(contract.answerReply, async ({ params, body, scope, resourceId }) =>
    toReply(await useCases.answerReply(scope, params.id, body, resourceId)),
  )

  add(contract.deleteReply, ({ params, scope }) => useCases.deleteReply(scope, params.id))
}

const toCounts = (counts: ReplyCounts): contract.ReplyCounts => ({
  unread_count: counts.unread,
  reply_count: counts.replies,
  auto_reply_count: counts.autoReplies,
  probable_count: counts.probable,
  unverified_count: counts.unverified,
  is_any_reading: counts.isAnyReading,
})

function toSummary(row: ReplySummaryRow): contract.ReplySummary {
  const { detail } = row
  return {
    id: String(row.id),
    kind: row.kind,
    match: row.match,
    is_settled: detail.settled !== undefined,
    from_address: row.fromAddress,
    from_name: detail.from_name ?? '',
    subject: row.subject,
    first_words: row.excerpt.replace(/\s+/g, ' ').trim().slice(0, firstWordsMaxChars),
    campaign_id: row.campaignId,
    campaign_name: row.campaignName,
    message_id: row.messageId,
    contact_id: row.contactId === null ? null : String(row.contactId),
    config_id: row.mailboxId,
    received_at: row.receivedAt.toISOString(),
    is_read: row.readAt !== null,
    is_answered: row.answerMessageId !== null,
    is_archived: row.archivedAt !== null,
    returns_on: detail.returns_on ?? null,
  }
}

function toReply(row: ReplyRow): contract.Reply {
  const { sent, answer, detail } = row
  return {
    ...toSummary(row),
    mailbox_address: row.mailboxAddress,
    text: row.excerpt,
    mailbox_link: mailboxLink(row),
    is_verified: detail.is_verified === true,
    reason: detail.reason ?? null,
    sent: sent && {
      subject: sent.subject,
      content: sent.content,
      is_html: sent.isHtml,
      sent_at: sent.sentAt.toISOString(),
      recipient: row.recipient ?? '',
      opened_at: sent.openedAt?.toISOString() ?? null,
      click_count: sent.clickCount,
    },
    answer: answer && { message_id: answer.messageId, text: answer.text, sent_at: answer.at.toISOString() },
  }
}
