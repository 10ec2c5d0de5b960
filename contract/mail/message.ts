import { Type, type Static } from 'typebox'
import { campaignTestRecipientsMaxCount } from './campaign.limits.ts'
import {
  contextMaxCount,
  contextValueMaxChars,
  messagesCountMaxCount,
  recipientsMaxCount,
  subjectMaxChars,
} from './message.limits.ts'
import { attachments } from '../files/attachment.ts'
import { Tracking } from '../results/tracking.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer, pageHeaders } from '../core/paging.ts'
import { DispatchInput, WritingInput } from './send/send-fields.ts'
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
    Type.String({ description: 'Required unless design or template_key is used, which provide the body then' }),
  ),
  context: Type.Optional(Context),
  attachments,
  tracking: Type.Optional(Tracking),
  ...WritingInput,
  ...DispatchInput,
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
  undo_until: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Until when it can be undone; null: not' }),
  ),
  scheduled_at: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'When it is to leave' })),
  warnings: Type.Optional(
    Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
      description: 'What the message lacks although it was accepted, such as `postal_address_missing`',
    }),
  ),
})
/** Answer of a send call: what it counts is committed. */
export type Accepted = Static<typeof Accepted>

export const Delivery = Type.Object({
  id: Type.Optional(Type.String({ description: 'Names it in the calls about one recipient' })),
  recipient: Type.String(),
  state: Type.Enum([...deliveryStates]),
  message_id: Type.String({ description: 'Message-ID header, the same in every attempt' }),
  attempts: Type.Integer(),
  reply: Type.Union([Type.String(), Type.Null()], { description: 'What the mail server said last' }),
  next_attempt_at: Type.Union([Type.String(), Type.Null()]),
  settled_at: Type.Union([Type.String(), Type.Null()]),
})

const MessageDelivery = Type.Object({
  ...Delivery.properties,
  replies: Type.Optional(
    Type.Array(Type.Object({ at: Type.String({ description: 'ISO 8601, UTC' }), reply: Type.String() }), {
      description: 'What the mail server answered to each attempt, oldest first; the last 20',
    }),
  ),
})
/** One recipient of a message. */
export type MessageDelivery = Static<typeof MessageDelivery>

const figureOf = (act: string) =>
  Type.Optional(
    Type.Integer({
      description: `Recipients of whom a person ${act}; only for callers with analytics:read (in an embed reports:read), and only for a message whose tracking is \`identified\``,
    }),
  )
const figures = { opened: figureOf('opened it'), clicked: figureOf('clicked a link') }

const Message = Type.Object({
  id: Type.String(),
  from: Type.String(),
  subject: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  counts: Type.Object(Object.fromEntries(deliveryStates.map((state) => [state, Type.Integer()])) as CountShape),
  deliveries: Type.Array(MessageDelivery, {
    description: 'In the order of acceptance; limit and offset page through them',
  }),
  ...figures,
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

/** What a listed message was sent by. */
export const listedOrigins = ['dashboard', 'api', 'embed', 'relay', 'form', 'reply'] as const

const ListedMessage = Type.Object({
  ...MessageSummary.properties,
  config_id: Type.Optional(Type.String({ description: 'The mailbox that sent it' })),
  origin: Type.Optional(Type.Enum([...listedOrigins], { description: 'What sent it' })),
  recipients: Type.Optional(Type.Array(Type.String(), { description: 'The first three' })),
  opened: Type.Optional(Type.Integer({ description: 'Recipients of whom a person opened it' })),
  clicked: Type.Optional(Type.Integer({ description: 'Recipients of whom a person clicked a link' })),
})
/** A message in the list of messages. */
export type ListedMessage = Static<typeof ListedMessage>

export const MessageContentView = Type.Object({
  subject: Type.String(),
  html: Type.Union([Type.String(), Type.Null()], { description: 'Null for a plain text mail' }),
  text: Type.String(),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})
/** A mail as it was sent to one recipient, merge variables filled. */
export type MessageContentView = Static<typeof MessageContentView>

const MessageProgress = Type.Object({
  ...MessageSummary.properties,
  deliveries: Type.Array(MessageDelivery, {
    description: 'Those whose state changed since the event before; in the first event all, 1,000 at most',
  }),
  ...figures,
})
/** One event of a message's progress. */
export type MessageProgress = Static<typeof MessageProgress>

const sendErrors = [
  'attachment_refused',
  'config_not_found',
  'template_not_found',
  'mail_too_large',
  'mailbox_paused',
  'queue_full',
  'send_failed',
  'storage_full',
  'too_many_addresses',
  'design_and_body',
  'design_invalid',
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
  summary: 'Messages that send calls accepted, newest first; campaigns have a list of their own, tests are left out',
  ...routeOf(routes.listMessages),
  access: 'member',
  permission: 'messages:read',
  query: Type.Object({
    ...CursorPaging,
    search: Type.Optional(
      Type.String({ maxLength: 254, description: 'A recipient’s whole address, or a part of the subject' }),
    ),
    origin: Type.Optional(Type.Enum([...listedOrigins])),
    config_id: Type.Optional(Type.String({ maxLength: 40, description: 'Only those of this mailbox' })),
    state: Type.Optional(Type.Enum([...deliveryStates], { description: 'Only those with a recipient in this state' })),
    from: Type.Optional(Type.String({ maxLength: 40, description: 'Accepted at this time or later; ISO 8601' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'Accepted before this time; ISO 8601' })),
  }),
  answers: pageAnswer(
    'The messages.',
    ListedMessage,
    `How many match; from ${messagesCountMaxCount} on, at least so many`,
  ),
  errors: ['cursor_invalid', 'search_too_broad'],
})

export const getMessageContent = defineOperation({
  name: 'getMessageContent',
  summary: 'A mail as it was sent to one recipient: HTML, text and headers, without tracking',
  ...routeOf(routes.getMessageContent),
  access: 'member',
  permission: 'messages:read',
  params: Type.Object({ id: Type.String(), delivery_id: Type.String({ maxLength: 20 }) }),
  answers: { 200: { description: 'The mail.', body: MessageContentView } },
  errors: ['message_not_found', 'content_gone'],
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
  summary: 'Retry the recipients whose mail was refused, and only those',
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
  caller: 'program',
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
  caller: 'program',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object(CursorPaging),
  answers: { 200: { description: 'The message.', body: Message, headers: pageHeaders('Recipients in all') } },
  errors: ['message_not_found', 'config_not_found'],
})
