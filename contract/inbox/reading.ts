import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { readingStates } from './inbox.limits.ts'
import * as routes from './reading.routes.ts'

const Reading = Type.Object({
  is_reading: Type.Boolean(),
  state: Type.Enum([...readingStates]),
  error: Type.Union([Type.String(), Type.Null()], { description: 'What is wrong and what to do' }),
  since: Type.Union([Type.String(), Type.Null()], { description: 'Mails that arrived earlier are not read' }),
  last_checked_at: Type.Union([Type.String(), Type.Null()]),
  imap: Type.Union(
    [
      Type.Object({
        host: Type.String(),
        port: Type.Integer(),
        security: Type.Enum(['tls', 'starttls', 'none']),
      }),
      Type.Null(),
    ],
    { description: 'The IMAP server that its owner set; null: that of the provider, or derived from the mail server' },
  ),
  can_read: Type.Boolean({ description: 'False: its server offers no IMAP, or not with this way of signing in' }),
  folders: Type.Array(
    Type.Object({
      folder: Type.String(),
      role: Type.Enum(['inbox', 'junk', 'sent']),
      checked_at: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  counts: Type.Object(
    {
      seen: Type.Integer(),
      matched: Type.Integer({ description: 'Mails that answer one of ours' }),
      bounces: Type.Integer(),
      replies: Type.Integer(),
      auto_replies: Type.Integer(),
      complaints: Type.Integer(),
      unmatched_bounces: Type.Integer(),
    },
    { description: 'Of the last 30 days' },
  ),
})
/** How the replies and bounces of a mailbox are read. */
export type Reading = Static<typeof Reading>

const byId = Type.Object({ id: Type.String() })

export const getReading = defineOperation({
  name: 'getReading',
  summary: 'Whether and how the replies and bounces of a mailbox are read, with its figures of 30 days',
  ...routeOf(routes.getReading),
  access: 'member',
  permission: 'mailboxes:read',
  params: byId,
  answers: { 200: { description: 'The state of reading.', body: Reading } },
  errors: ['config_not_found'],
})

export const startReadingConsent = defineOperation({
  name: 'startReadingConsent',
  summary: 'Start the sign-in at the provider that adds the permission to read; sending continues in any case',
  ...routeOf(routes.startReadingConsent),
  access: 'member',
  permission: 'mailboxes:write',
  params: byId,
  answers: {
    200: { description: 'The address that the browser is to open.', body: Type.Object({ url: Type.String() }) },
  },
  errors: ['config_not_found', 'mailbox_sign_in_not_offered', 'mailbox_sign_in_failed'],
})
