import type { QueryOf } from '../../contract/core/operation.ts'
import type * as api from '../../contract/inbox/reply.ts'
import type { Answer, Reply, ReplyChanges, ReplyCounts, ReplySummary } from '../../contract/inbox/reply.ts'
import * as routes from '../../contract/inbox/reply.routes.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'

/** Mails that answer ours, newest first. */
export function listReplies(
  session: Session,
  query: QueryOf<typeof api.listReplies> = {},
  options?: CallOptions,
): Promise<Page<ReplySummary>> {
  return callList<typeof api.listReplies>(session, { route: routes.listReplies, query }, options)
}

/** How many replies are to be read, and how many there are in each view. */
export function countUnreadReplies(session: Session, options?: CallOptions): Promise<ReplyCounts> {
  return call<typeof api.countUnreadReplies>(session, { route: routes.countUnreadReplies }, options)
}

/** The same now and after each change; a stream that ends is opened again by the caller. */
export function watchReplyCounts(session: Session, options?: CallOptions): AsyncGenerator<ReplyCounts> {
  return readEvents<ReplyCounts>(
    callStream<typeof api.watchReplyCounts>(session, { route: routes.watchReplyCounts }, options),
  )
}

export function getReply(session: Session, id: string, options?: CallOptions): Promise<Reply> {
  return call<typeof api.getReply>(session, { route: routes.getReply, params: { id } }, options)
}

/** Marks a reply as read or archived; the mailbox keeps its own flags. */
export function updateReply(session: Session, id: string, body: ReplyChanges, options?: CallOptions): Promise<Reply> {
  return call<typeof api.updateReply>(session, { route: routes.updateReply, params: { id }, body }, options)
}

/** Confirms a probable reply. */
export function confirmReply(session: Session, id: string, options?: CallOptions): Promise<Reply> {
  return call<typeof api.confirmReply>(session, { route: routes.confirmReply, params: { id } }, options)
}

/** Takes a probable reply out of the list. */
export function rejectReply(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.rejectReply>(session, { route: routes.rejectReply, params: { id } }, options)
}

/** Unsubscribes the person who replied from everything. */
export function unsubscribeReply(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.unsubscribeReply>(session, { route: routes.unsubscribeReply, params: { id } }, options)
}

/** Answers from the mailbox that got the reply. */
export function answerReply(session: Session, id: string, body: Answer, options?: CallOptions): Promise<Reply> {
  return call<typeof api.answerReply>(session, { route: routes.answerReply, params: { id }, body }, options)
}

/** Deletes the stored copy; the mail stays in the mailbox. */
export function deleteReply(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteReply>(session, { route: routes.deleteReply, params: { id } }, options)
}
