import type {
  MailPreviewInput,
  ScheduledChanges,
  ScheduledMessage,
  ScheduledSummary,
  TestMail,
} from '../../contract/mail/send/scheduled-message.ts'
import type * as api from '../../contract/mail/send/scheduled-message.ts'
import type { QueryOf } from '../../contract/core/operation.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/send/scheduled-message.routes.ts'

/** Messages that wait for their time, the next one first. */
export function listScheduledMessages(
  session: Session,
  query: QueryOf<typeof api.listScheduledMessages> = {},
  options?: CallOptions,
): Promise<Page<ScheduledSummary>> {
  return callList<typeof api.listScheduledMessages>(session, { route: routes.listScheduledMessages, query }, options)
}

/** A message that waits for its time, as it was written. */
export function getScheduledMessage(session: Session, id: string, options?: CallOptions): Promise<ScheduledMessage> {
  return call<typeof api.getScheduledMessage>(session, { route: routes.getScheduledMessage, params: { id } }, options)
}

/** Changes it, or its time. */
export function updateScheduledMessage(
  session: Session,
  id: string,
  changes: ScheduledChanges,
  options?: CallOptions,
): Promise<ScheduledMessage> {
  return call<typeof api.updateScheduledMessage>(
    session,
    { route: routes.updateScheduledMessage, params: { id }, body: changes },
    options,
  )
}

/** Cancels a message that has not left. */
export function cancelMessage(session: Session, id: string, options?: CallOptions) {
  return call<typeof api.cancelMessage>(session, { route: routes.cancelMessage, params: { id } }, options)
}

/** Undoes a send in the time for it. */
export function undoMessage(session: Session, id: string, options?: CallOptions) {
  return call<typeof api.undoMessage>(session, { route: routes.undoMessage, params: { id } }, options)
}

/** Sends a mail to a few addresses, as one of its recipients gets it. */
export function sendTestMail(session: Session, mail: TestMail, options?: CallOptions) {
  return call<typeof api.sendTestMail>(session, { route: routes.sendTestMail, body: mail }, options)
}

/** A mail as it would leave now; nothing is sent. */
export function previewMail(session: Session, mail: MailPreviewInput, options?: CallOptions) {
  return call<typeof api.previewMail>(session, { route: routes.previewMail, body: mail }, options)
}
