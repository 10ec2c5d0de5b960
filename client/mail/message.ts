import type {
  Accepted,
  ApiMail,
  getMessage as GetMessage,
  getMessageApi as GetMessageApi,
  HtmlMail,
  listMessages as ListMessages,
  Message,
  MessageSummary,
  MessageProgress,
  resendMessage as ResendMessage,
  retryMessage as RetryMessage,
  sendMailWithKey as SendMailWithKey,
  sendMailWithKeyApi as SendMailWithKeyApi,
  watchMessage as WatchMessage,
} from '../../contract/mail/message.ts'
import type { AnswerOf, QueryOf } from '../../contract/core/operation.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/message.routes.ts'

/** Sends HTML mail in the name of a configuration. */
export function sendMailWithKey(
  session: Session,
  secretKey: string,
  mail: HtmlMail,
  query: QueryOf<typeof SendMailWithKey> = {},
  options?: CallOptions,
): Promise<Accepted> {
  const params = { secret_key: secretKey }
  return call<typeof SendMailWithKey>(session, { route: routes.sendMailWithKey, params, query, body: mail }, options)
}

/** The public send call: authenticated by the secret key, with `is_html` false by default. */
export function sendMailWithKeyApi(
  session: Session,
  secretKey: string,
  mail: ApiMail,
  query: QueryOf<typeof SendMailWithKeyApi> = {},
  options?: CallOptions,
): Promise<Accepted> {
  const params = { secret_key: secretKey }
  return call<typeof SendMailWithKeyApi>(
    session,
    { route: routes.sendMailWithKeyApi, params, query, body: mail },
    options,
  )
}

/** A page of what send calls have accepted, newest first. */
export function listMessages(
  session: Session,
  query: QueryOf<typeof ListMessages> = {},
  options?: CallOptions,
): Promise<Page<MessageSummary>> {
  return callList<typeof ListMessages>(session, { route: routes.listMessages, query }, options)
}

/** Delivery states of a message's recipients. */
export function getMessage(
  session: Session,
  id: string,
  query: QueryOf<typeof GetMessage> = {},
  options?: CallOptions,
): Promise<Message> {
  return call<typeof GetMessage>(session, { route: routes.getMessage, params: { id }, query }, options)
}

/** The same for a caller that holds the secret key: it goes as the bearer token. */
export function getMessageApi(
  session: Session,
  id: string,
  query: QueryOf<typeof GetMessageApi> = {},
  options?: CallOptions,
): Promise<Message> {
  return call<typeof GetMessageApi>(session, { route: routes.getMessageApi, params: { id }, query }, options)
}

/** Delivery states of its recipients, now and with each change, until all are settled; see `readEvents`. */
export function watchMessage(session: Session, id: string, options?: CallOptions): AsyncGenerator<MessageProgress> {
  return readEvents<MessageProgress>(
    callStream<typeof WatchMessage>(session, { route: routes.watchMessage, params: { id } }, options),
  )
}

/** Sends once more to those, and only those, whose mail was refused. */
export function retryMessage(
  session: Session,
  id: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof RetryMessage>> {
  return call<typeof RetryMessage>(session, { route: routes.retryMessage, params: { id } }, options)
}

/** Sends once more to recipients whose state is unknown: to these, or to all of them. */
export function resendMessage(
  session: Session,
  id: string,
  recipients?: string[],
  options?: CallOptions,
): Promise<AnswerOf<typeof ResendMessage>> {
  const body = recipients === undefined ? {} : { recipient_list: recipients }
  return call<typeof ResendMessage>(session, { route: routes.resendMessage, params: { id }, body }, options)
}
