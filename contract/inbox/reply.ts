import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { pageAnswer, Paging } from '../core/paging.ts'
import { answerMaxChars, inboxKinds, inboxMatches, replyViews } from './inbox.limits.ts'
import * as routes from './reply.routes.ts'

const time = Type.String({ description: 'ISO 8601, UTC' })

const summary = {
  id: Type.String(),
  kind: Type.Enum([...inboxKinds]),
  match: Type.Enum([...inboxMatches], { description: 'How it was matched with our mail' }),
  is_settled: Type.Boolean({ description: 'A person decided on a probable reply' }),
  from_address: Type.String(),
  from_name: Type.String({ description: 'Empty where unknown' }),
  subject: Type.String(),
  first_words: Type.String(),
  campaign_id: Type.Union([Type.String(), Type.Null()]),
  campaign_name: Type.Union([Type.String(), Type.Null()]),
  message_id: Type.String({ description: 'Id of our message that it answers' }),
  contact_id: Type.Union([Type.String(), Type.Null()]),
  config_id: Type.String(),
  received_at: time,
  is_read: Type.Boolean(),
  is_answered: Type.Boolean(),
  is_archived: Type.Boolean(),
  returns_on: Type.Union([Type.String(), Type.Null()], { description: 'Of an auto-reply: the day of return' }),
}

const ReplySummary = Type.Object(summary)
/** An incoming mail that answers one of ours, in a list. */
export type ReplySummary = Static<typeof ReplySummary>

const Reply = Type.Object({
  ...summary,
  mailbox_address: Type.String(),
  text: Type.String({ description: 'Plain text' }),
  mailbox_link: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the mail can be opened at the provider; null where that is unknown',
  }),
  is_verified: Type.Boolean({ description: 'The provider’s check of the sender passed' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Of a bounce' }),
  sent: Type.Union(
    [
      Type.Object({
        subject: Type.String(),
        content: Type.String(),
        is_html: Type.Boolean(),
        sent_at: time,
        recipient: Type.String(),
        opened_at: Type.Union([Type.String(), Type.Null()], { description: 'First open by the person' }),
        click_count: Type.Integer({ description: 'Clicks by the person' }),
      }),
      Type.Null(),
    ],
    { description: 'The mail that it answers' },
  ),
  answer: Type.Union([Type.Object({ message_id: Type.String(), text: Type.String(), sent_at: time }), Type.Null()]),
})
/** An incoming mail with its text and the mail that it answers. */
export type Reply = Static<typeof Reply>

const RepliesQuery = Type.Object({
  limit: Paging.limit,
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'X-Next-Cursor of the previous page' })),
  view: Type.Optional(
    Type.Enum([...replyViews], {
      description:
        'new: replies to read; reply: all replies; auto_reply; probable; unverified; archived. Default: replies and auto-replies that are not archived',
    }),
  ),
  kind: Type.Optional(Type.Enum([...inboxKinds])),
  match: Type.Optional(Type.Enum([...inboxMatches])),
  campaign_id: Type.Optional(Type.String({ maxLength: 40 })),
  contact_id: Type.Optional(Type.String({ maxLength: 20 })),
  config_id: Type.Optional(Type.String({ maxLength: 40 })),
})
export type RepliesQuery = Static<typeof RepliesQuery>

const ReplyChanges = Type.Object({
  is_read: Type.Optional(Type.Boolean()),
  is_archived: Type.Optional(Type.Boolean()),
})
export type ReplyChanges = Static<typeof ReplyChanges>

const Answer = Type.Object({
  text: Type.String({ minLength: 1, maxLength: answerMaxChars, description: 'Plain text' }),
  is_done: Type.Optional(Type.Boolean({ description: 'Archive the reply, too. Default false' })),
})
export type Answer = Static<typeof Answer>

const byId = Type.Object({ id: Type.String({ maxLength: 20 }) })
const one = (description: string) => ({ 200: { description, body: Reply } })

export const listReplies = defineOperation({
  name: 'listReplies',
  summary: 'Mails that answer ours, newest first',
  ...routeOf(routes.listReplies),
  access: 'member',
  permission: 'messages:read',
  query: RepliesQuery,
  answers: pageAnswer('The replies.', ReplySummary),
  errors: ['cursor_invalid'],
})

const ReplyCounts = Type.Object({
  unread_count: Type.Integer(),
  reply_count: Type.Integer(),
  auto_reply_count: Type.Integer(),
  probable_count: Type.Integer(),
  unverified_count: Type.Integer(),
  is_any_reading: Type.Boolean({ description: 'At least one mailbox is read' }),
})
/** Number of replies to read, and of the replies in each view. */
export type ReplyCounts = Static<typeof ReplyCounts>

export const countUnreadReplies = defineOperation({
  name: 'countUnreadReplies',
  summary: 'Number of unread replies, and of the replies in each view',
  ...routeOf(routes.countUnreadReplies),
  access: 'member',
  permission: 'messages:read',
  answers: { 200: { description: 'The numbers.', body: ReplyCounts } },
})

export const watchReplyCounts = defineOperation({
  name: 'watchReplyCounts',
  summary: 'Stream the same as server-sent events named `replies`: now, and after changes, twice a second at most',
  ...routeOf(routes.watchReplyCounts),
  access: 'member',
  permission: 'messages:read',
  answers: {
    200: {
      description: 'One event now and one after changes; the stream ends after 15 minutes.',
      media: 'text/event-stream',
      body: ReplyCounts,
    },
  },
})

export const getReply = defineOperation({
  name: 'getReply',
  summary: 'A reply with its text and the mail that it answers',
  ...routeOf(routes.getReply),
  access: 'member',
  permission: 'messages:read',
  params: byId,
  answers: one('The reply.'),
  errors: ['reply_not_found'],
})

export const updateReply = defineOperation({
  name: 'updateReply',
  summary: 'Mark a reply as read or archived here; the mailbox keeps its own flags',
  ...routeOf(routes.updateReply),
  access: 'member',
  permission: 'messages:send',
  params: byId,
  body: ReplyChanges,
  answers: one('The reply.'),
  errors: ['reply_not_found'],
})

export const confirmReply = defineOperation({
  name: 'confirmReply',
  summary: 'Confirm a probable reply: it counts as replied from then on',
  ...routeOf(routes.confirmReply),
  access: 'member',
  permission: 'contacts:write',
  params: byId,
  answers: one('The reply.'),
  errors: ['reply_not_found', 'reply_settled'],
})

export const rejectReply = defineOperation({
  name: 'rejectReply',
  summary: 'Reject a probable reply: it leaves the list',
  ...routeOf(routes.rejectReply),
  access: 'member',
  permission: 'contacts:write',
  params: byId,
  answers: { 204: { description: 'It is out of the list.' } },
  errors: ['reply_not_found', 'reply_settled'],
})

export const unsubscribeReply = defineOperation({
  name: 'unsubscribeReply',
  summary: 'Unsubscribe the person who replied from everything',
  ...routeOf(routes.unsubscribeReply),
  access: 'member',
  permission: 'contacts:write',
  params: byId,
  answers: { 204: { description: 'Nothing is sent to the person any more.' } },
  errors: ['reply_not_found'],
})

export const answerReply = defineOperation({
  name: 'answerReply',
  summary: 'Answer a reply from the mailbox that got it, in the same thread',
  ...routeOf(routes.answerReply),
  access: 'member',
  permission: 'messages:send',
  params: byId,
  body: Answer,
  answers: one('The reply with its answer.'),
  isRepeatable: true,
  errors: ['reply_not_found', 'mailbox_paused', 'config_not_found', 'mail_too_large'],
})

export const deleteReply = defineOperation({
  name: 'deleteReply',
  summary: 'Delete the stored copy of a reply; the mail stays in the mailbox',
  ...routeOf(routes.deleteReply),
  access: 'member',
  permission: 'contacts:delete',
  params: byId,
  answers: { 204: { description: 'The copy is gone.' } },
  errors: ['reply_not_found'],
})
