import { Type, type Static } from 'typebox'
import { campaignTestRecipientsMaxCount } from './campaign.limits.ts'
import {
  contextMaxCount,
  contextValueMaxChars,
  messagesCountMaxCount,
  recipientsMaxCount,
  subjectMaxChars,
} from './message.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer, pageHeaders } from '../core/paging.ts'
import * as routes from './message.routes.ts'

/** Delivery states of a recipient; the glossary of ARCHITECTURE.md defines them. */
export const deliveryStates = [
  'queued',
  'sending',
  'sent',
  'deferred',
  'failed',
  'suppressed',
  'cancelled',
  'unknown',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Values of merge variables, as calls bring them. */
export const Context = Type.Record(
  Type.String(),
  Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], maxLength: contextValueMaxChars }),
  { maxProperties: contextMaxCount, description: 'Values of the merge variables' },
)

const mailFields = {
  recipient_list: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: recipientsMaxCount,
    description: 'One address an item; each distinct address gets one mail of its own',
  }),
  subject: Type.String({ minLength: 1, maxLength: subjectMaxChars }),
  content: Type.Optional(
    Type.String({ description: 'Required unless template_key is used; the template provides the body then' }),
  ),
  context: Type.Optional(Context),
}

const HtmlMail = Type.Object({
  ...mailFields,
  is_test: Type.Optional(
    Type.Boolean({
      default: false,
      description: `A mail to try out, to ${campaignTestRecipientsMaxCount} recipients at most: statistics and the list of messages leave it out. What an embed session sends is always listed`,
    }),
  ),
})
const ApiMail = Type.Object({
  ...mailFields,
  is_html: Type.Optional(Type.Boolean({ default: false, description: 'Whether content is HTML' })),
})
/** Payload of the dashboard's send call; `content` is HTML. */
export type HtmlMail = Static<typeof HtmlMail>
/** Payload of the public send call. */
export type ApiMail = Static<typeof ApiMail>

const SendQuery = Type.Object({ template_key: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) })
const SendParams = Type.Object({ secret_key: Type.String() })

const Accepted = Type.Object({
  message: Type.String({ examples: ['Email sent successfully to 2 recipients'] }),
  id: Type.String({ description: 'Names the message in GET /email/messages/{id}' }),
  accepted: Type.Integer({ description: 'Recipients with a row of their own, on disk' }),
  suppressed: Type.Integer({ description: 'Recipients left out because they are suppressed' }),
  finishes_at: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'When the last mail will leave by the mailbox’s quota' }),
  ),
})
/** Answer of a send call: what it counts is committed. */
export type Accepted = Static<typeof Accepted>

export const Delivery = Type.Object({
  recipient: Type.String(),
  state: Type.Enum([...deliveryStates]),
  message_id: Type.String({ description: 'Message-ID header, the same in every attempt' }),
  attempts: Type.Integer(),
  reply: Type.Union([Type.String(), Type.Null()], { description: 'What the mail server said last' }),
  next_attempt_at: Type.Union([Type.String(), Type.Null()]),
  settled_at: Type.Union([Type.String(), Type.Null()]),
})

const Message = Type.Object({
  id: Type.String(),
  from: Type.String(),
  subject: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  counts: Type.Object(Object.fromEntries(deliveryStates.map((state) => [state, Type.Integer()])) as CountShape),
  deliveries: Type.Array(Delivery, { description: 'In the order of acceptance; limit and offset page through them' }),
})
type CountShape = Record<DeliveryState, ReturnType<typeof Type.Integer>>
/** A message with the delivery state of each recipient. */
export type Message = Static<typeof Message>

const MessageSummary = Type.Object({
  id: Type.String(),
  from: Type.String(),
  subject: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  counts: Message.properties.counts,
})
/** A message in a list, with delivery counts by state. */
export type MessageSummary = Static<typeof MessageSummary>

const MessageProgress = Type.Object({
  ...MessageSummary.properties,
  deliveries: Type.Array(Delivery, {
    description: 'Those whose state changed since the event before; in the first event all, 1,000 at most',
  }),
})
/** One event of a message's progress. */
export type MessageProgress = Static<typeof MessageProgress>

const sendErrors = [
  'config_not_found',
  'template_not_found',
  'mail_too_large',
  'mailbox_paused',
  'queue_full',
  'send_failed',
] as const

export const sendMailWithKey = defineOperation({
  name: 'sendMailWithKey',
  summary: 'Send HTML mail from the dashboard; up to ten recipients wait for the mail server’s first result',
  ...routeOf(routes.sendMailWithKey),
  access: 'member',
  permission: 'messages:send',
  embed: { scope: 'mail:send' },
  params: SendParams,
  query: SendQuery,
  body: HtmlMail,
  answers: { 200: { description: 'Accepted and on disk.', body: Accepted } },
  isRepeatable: true,
  errors: [...sendErrors, 'embed_quota_used'],
})

export const sendMailWithKeyApi = defineOperation({
  name: 'sendMailWithKeyApi',
  summary: 'Send mail from code with the secret key of a mailbox',
  ...routeOf(routes.sendMailWithKeyApi),
  access: 'key',
  permission: 'messages:send',
  params: SendParams,
  query: SendQuery,
  body: ApiMail,
  answers: {
    200: { description: 'Accepted and on disk. With `Prefer: wait=10` the first result is awaited.', body: Accepted },
  },
  isRepeatable: true,
  errors: sendErrors,
})

export const listMessages = defineOperation({
  name: 'listMessages',
  summary: 'What send calls have accepted, newest first; campaigns have a list of their own, tests are left out',
  ...routeOf(routes.listMessages),
  access: 'member',
  permission: 'messages:read',
  query: Type.Object(CursorPaging),
  answers: pageAnswer(
    'The messages.',
    MessageSummary,
    `How many there are in all; from ${messagesCountMaxCount} on, at least so many`,
  ),
})

export const getMessage = defineOperation({
  name: 'getMessage',
  summary: 'List the delivery state of each recipient of a message',
  ...routeOf(routes.getMessage),
  access: 'member',
  permission: 'messages:read',
  embed: { scope: 'mail:send' },
  params: Type.Object({ id: Type.String() }),
  query: Type.Object(CursorPaging),
  answers: { 200: { description: 'The message.', body: Message, headers: pageHeaders('Recipients in all') } },
  errors: ['message_not_found'],
})

export const watchMessage = defineOperation({
  name: 'watchMessage',
  summary: 'Stream the delivery states of a message as server-sent events named `progress`, until all are final',
  ...routeOf(routes.watchMessage),
  access: 'member',
  permission: 'messages:read',
  embed: { scope: 'mail:send' },
  params: Type.Object({ id: Type.String() }),
  answers: {
    200: { description: 'One event now and one for each change.', media: 'text/event-stream', body: MessageProgress },
  },
  errors: ['message_not_found'],
})

export const retryMessage = defineOperation({
  name: 'retryMessage',
  summary: 'Send once more to those recipients, and only those, whose mail was refused',
  ...routeOf(routes.retryMessage),
  access: 'member',
  permission: 'messages:send',
  embed: { scope: 'mail:send' },
  isRepeatable: true,
  params: Type.Object({ id: Type.String() }),
  answers: {
    200: {
      description: 'They are in the queue again, under the Message-ID that they had.',
      body: Type.Object({
        message: Type.String(),
        resent: Type.Integer({ description: 'Recipients in the queue again' }),
        suppressed: Type.Integer({ description: 'Those that stay refused because they are suppressed' }),
      }),
    },
  },
  errors: ['message_not_found', 'config_not_found', 'embed_quota_used'],
})

export const resendMessage = defineOperation({
  name: 'resendMessage',
  summary: 'Send again to recipients whose state is unknown; a recipient that already has the mail gets it twice',
  ...routeOf(routes.resendMessage),
  access: 'member',
  permission: 'messages:send',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({
    recipient_list: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: recipientsMaxCount,
        description: 'Only these; without it, every recipient of the message whose state is unknown',
      }),
    ),
  }),
  answers: {
    200: {
      description: 'They are in the queue again, under the Message-ID that they had.',
      body: Type.Object({
        message: Type.String(),
        resent: Type.Integer({ description: 'Recipients in the queue again' }),
      }),
    },
  },
  isRepeatable: true,
  errors: ['message_not_found'],
})

export const getMessageApi = defineOperation({
  name: 'getMessageApi',
  summary: 'The same with the secret key as bearer token',
  ...routeOf(routes.getMessageApi),
  access: 'key',
  permission: 'messages:read',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object(CursorPaging),
  answers: { 200: { description: 'The message.', body: Message, headers: pageHeaders('Recipients in all') } },
  errors: ['message_not_found', 'config_not_found'],
})
