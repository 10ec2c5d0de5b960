import type {
  Accepted,
  ApiMail,
  HtmlMail,
  Message,
  ListedMessage,
  MessageContentView,
  MessageProgress,
} from '../../contract/mail/message.ts'
import type * as api from '../../contract/mail/message.ts'
import type { QueryOf } from '../../contract/core/operation.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/message.routes.ts'

/** Sends HTML mail in the name of a configuration. */
export function sendMailWithKey(
  session: Session,
  secretKey: string,
  mail: HtmlMail,
  query: QueryOf<typeof api.sendMailWithKey> = {},
  options?: CallOptions,
): Promise<Accepted> {
  const params = { secret_key: secretKey }
  return call<typeof api.sendMailWithKey>(
    session,
    { route: routes.sendMailWithKey, params, query, body: mail },
    options,
  )
}

/** The public send call: authenticated by the secret key, with `is_html` false by default. */
export function sendMailWithKeyApi(
  session: Session,
  secretKey: string,
  mail: ApiMail,
  query: QueryOf<typeof api.sendMailWithKeyApi> = {},
  options?: CallOptions,
): Promise<Accepted> {
  const params = { secret_key: secretKey }
  return call<typeof api.sendMailWithKeyApi>(
    session,
    { route: routes.sendMailWithKeyApi, params, query, body: mail },
    options,
  )
}

/** A page of what send calls have accepted, newest first. */
export function listMessages(
  session: Session,
  query: QueryOf<typeof api.listMessages> = {},
  options?: CallOptions,
): Promise<Page<ListedMessage>> {
  return callList<typeof api.listMessages>(session, { route: routes.listMessages, query }, options)
}

/** A mail as it was sent to one recipient. */
export function getMessageContent(
  session: Session,
  { id, deliveryId }: { id: string; deliveryId: string },
  options?: CallOptions,
): Promise<MessageContentView> {
  const params = { id, delivery_id: deliveryId }
  return call<typeof api.getMessageContent>(session, { route: routes.getMessageContent, params }, options)
}

/** Delivery states of a message's recipients. */
export function getMessage(
  session: Session,
  id: string,
  query: QueryOf<typeof api.getMessage> = {},
  options?: CallOptions,
): Promise<Message> {
  return call<typeof api.getMessage>(session, { route: routes.getMessage, params: { id }, query }, options)
}

/** Delivery states of its recipients, now and with each change, until all are settled; see `readEvents`. */
export function watchMessage(session: Session, id: string, options?: CallOptions): AsyncGenerator<MessageProgress> {
  return readEvents<MessageProgress>(
    callStream<typeof api.watchMessage>(session, { route: routes.watchMessage, params: { id } }, options),
  )
}

/** Sends once more to those, and only those, whose mail was refused. */
export function retryMessage(session: Session, id: string, options?: CallOptions) {
  return call<typeof api.retryMessage>(session, { route: routes.retryMessage, params: { id } }, options)
}
