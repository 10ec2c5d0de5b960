import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../../core/operation.ts'
import { CursorPaging, pageAnswer } from '../../core/paging.ts'
import { recipientsMaxCount, subjectMaxChars } from '../message.limits.ts'
import { Context } from '../message.ts'
import * as routes from './scheduled-message.routes.ts'
import { DispatchInput, Writing, WritingInput } from './send-fields.ts'
import { testRecipientsMaxCount } from './send.limits.ts'

const ScheduledSummary = Type.Object({
  id: Type.String(),
  from: Type.String(),
  subject: Type.String(),
  recipients: Type.Integer({ description: 'Recipients that wait for it' }),
  scheduled_at: Type.String({ description: 'ISO 8601, UTC' }),
  timezone: Type.Union([Type.String(), Type.Null()], { description: 'In which scheduled_at was given' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A message that waits for its time, in a list. */
export type ScheduledSummary = Static<typeof ScheduledSummary>

const ScheduledMessage = Type.Object({
  ...ScheduledSummary.properties,
  ...Writing,
  config_id: Type.String(),
  content: Type.String({ description: 'HTML without footer; rendered from the design if there is one' }),
  design: Type.Unknown({ description: 'The design document; null in mode html' }),
  context: Context,
  recipient_list: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  bcc: Type.Array(Type.String()),
})
/** A scheduled message as it was written. */
export type ScheduledMessage = Static<typeof ScheduledMessage>

const byId = Type.Object({ id: Type.String() })
const { undo_seconds: _, ...Dispatch } = DispatchInput

const ScheduledChanges = Type.Object({
  subject: Type.Optional(Type.String({ minLength: 1, maxLength: subjectMaxChars })),
  content: Type.Optional(Type.String({ minLength: 1, description: 'HTML; not together with design' })),
  context: Type.Optional(Context),
  recipient_list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: recipientsMaxCount })),
  ...WritingInput,
  ...Dispatch,
})
/** What of a scheduled message can be changed. */
export type ScheduledChanges = Static<typeof ScheduledChanges>

const TestMail = Type.Object({
  config_id: Type.String(),
  to: Type.Array(Type.String(), { minItems: 1, maxItems: testRecipientsMaxCount }),
  as_recipient: Type.Optional(
    Type.Object(
      { email: Type.Optional(Type.String({ maxLength: 320 })), context: Type.Optional(Context) },
      { description: 'Whose mail it is: these values come before those of `context`' },
    ),
  ),
  subject: Type.String({ minLength: 1, maxLength: subjectMaxChars }),
  content: Type.Optional(Type.String({ description: 'HTML; not together with design' })),
  context: Type.Optional(Context),
  ...WritingInput,
})
/** A mail that is tried out. */
export type TestMail = Static<typeof TestMail>

const MailPreviewInput = Type.Object({
  recipient: Type.Optional(Type.String({ maxLength: 320, description: 'Whose mail it is' })),
  is_to_many: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether it goes to several recipients, each with a mail of their own',
    }),
  ),
  subject: Type.String({ maxLength: subjectMaxChars }),
  content: Type.Optional(Type.String({ description: 'HTML; not together with design' })),
  context: Type.Optional(Context),
  ...WritingInput,
})
/** A mail that is only looked at. */
export type MailPreviewInput = Static<typeof MailPreviewInput>

const MailPreview = Type.Object({
  subject: Type.String(),
  html: Type.String({ description: 'With CRLF line ends, filled variables and, in a bulk message, its footer' }),
  text: Type.String({ description: 'The text part' }),
})
/** A mail as it would leave, without tracking. */
export type MailPreview = Static<typeof MailPreview>

const errors = [
  'message_not_found',
  'message_state',
  'mail_too_large',
  'too_many_addresses',
  'design_and_body',
  'design_invalid',
] as const

export const listScheduledMessages = defineOperation({
  name: 'listScheduledMessages',
  summary: 'Scheduled messages, the next one first; campaigns have a list of their own',
  ...routeOf(routes.listScheduledMessages),
  access: 'member',
  permission: 'messages:read',
  query: Type.Object(CursorPaging),
  answers: pageAnswer('The messages.', ScheduledSummary),
})

export const getScheduledMessage = defineOperation({
  name: 'getScheduledMessage',
  summary: 'A scheduled message as it was written',
  ...routeOf(routes.getScheduledMessage),
  access: 'member',
  permission: 'messages:read',
  params: byId,
  answers: { 200: { description: 'The message.', body: ScheduledMessage } },
  errors: ['message_not_found', 'message_state'],
})

export const updateScheduledMessage = defineOperation({
  name: 'updateScheduledMessage',
  summary: 'Change a scheduled message or its time',
  ...routeOf(routes.updateScheduledMessage),
  access: 'member',
  permission: 'messages:send',
  params: byId,
  body: ScheduledChanges,
  answers: { 200: { description: 'Changed; it leaves so.', body: ScheduledMessage } },
  errors,
})

export const cancelMessage = defineOperation({
  name: 'cancelMessage',
  summary: 'Cancel a message before any of its mails has left',
  ...routeOf(routes.cancelMessage),
  access: 'member',
  permission: 'messages:send',
  params: byId,
  answers: {
    200: {
      description: 'None of its mails leaves.',
      body: Type.Object({ cancelled: Type.Integer({ description: 'Mails that do not leave' }) }),
    },
  },
  isRepeatable: true,
  errors: ['message_not_found', 'message_state'],
})

export const undoMessage = defineOperation({
  name: 'undoMessage',
  summary: 'Undo a send within its undo time: all of its mails are held back, or none',
  ...routeOf(routes.undoMessage),
  access: 'member',
  permission: 'messages:send',
  embed: { scope: 'mail:send' },
  params: byId,
  answers: {
    200: {
      description: 'None of its mails leaves.',
      body: Type.Object({ cancelled: Type.Integer({ description: 'Mails that do not leave' }) }),
    },
  },
  isRepeatable: true,
  errors: ['message_not_found', 'undo_too_late'],
})

export const sendTestMail = defineOperation({
  name: 'sendTestMail',
  summary: 'Send a mail to a few addresses to try it out, as one of its recipients gets it',
  ...routeOf(routes.sendTestMail),
  access: 'member',
  permission: 'messages:send',
  body: TestMail,
  answers: {
    200: {
      description: 'Accepted and on disk.',
      body: Type.Object({ message: Type.String(), id: Type.String({ description: 'Names the message' }) }),
    },
  },
  isRepeatable: true,
  errors: [
    'config_not_found',
    'design_and_body',
    'design_invalid',
    'mail_too_large',
    'mailbox_paused',
    'queue_full',
    'send_failed',
  ],
})

export const previewMail = defineOperation({
  name: 'previewMail',
  summary: 'A mail as it would leave now, without tracking; nothing is sent or kept',
  ...routeOf(routes.previewMail),
  access: 'member',
  permission: 'messages:send',
  body: MailPreviewInput,
  answers: { 200: { description: 'The mail.', body: MailPreview } },
  errors: ['design_and_body', 'design_invalid'],
})
