import { Type, type Static } from 'typebox'
import { mailboxConnectionsMaxCount, providers } from './config.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import * as routes from './config.routes.ts'

/** `tls` from the first byte (465), `starttls` (587), `none` only where the operator's SMTP_ALLOW names the server. */
export const smtpSecurities = ['tls', 'starttls', 'none'] as const
export type SmtpSecurity = (typeof smtpSecurities)[number]

const Config = Type.Object({
  id: Type.String(),
  email_address: Type.String(),
  provider: Type.Enum([...providers]),
  secret_key: Type.Union([Type.String(), Type.Null()], {
    description: 'Sends in the name of this mailbox: keep it on your server. Null where it cannot be shown.',
  }),
  status: Type.Enum(['active', 'paused']),
  pause_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is paused and what to do.' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** An email configuration: a connected mailbox. `app_password` is never returned. */
export type Config = Static<typeof Config>

const NewConfig = Type.Object({
  email_address: Type.String({ minLength: 1 }),
  provider: Type.Enum([...providers]),
  app_password: Type.String({ minLength: 1, maxLength: 1024 }),
  smtp_host: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Provider other only; if absent, the address’s domain is asked for it',
    }),
  ),
  smtp_port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65535, description: 'Provider other only; 465 or 587' }),
  ),
  smtp_security: Type.Optional(
    Type.Enum([...smtpSecurities], { description: 'Provider other only; by the port if absent' }),
  ),
})
export type NewConfig = Static<typeof NewConfig>

const quotaCount = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()], { description })

const connectionCount = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: mailboxConnectionsMaxCount }), Type.Null()], { description })

const MailboxLimits = Type.Object({
  limit_per_minute: quotaCount('Mails within a minute; null: none'),
  limit_per_day: quotaCount('Mails within 24 hours; null: none'),
  limit_connections: connectionCount('Connections at a time; null: none'),
})
/** What is kept under with a mailbox's server; null: nothing is set. */
export type MailboxLimits = Static<typeof MailboxLimits>

const ConfigUsage = Type.Object({
  id: Type.String(),
  minute_count: Type.Integer({ description: 'Mails handed to the mail server within the last minute' }),
  minute_limit: quotaCount('How many it may be; null: no limit is known'),
  day_count: Type.Integer({ description: 'Mails handed to the mail server within the last 24 hours' }),
  day_limit: quotaCount('How many it may be; null: no limit is known'),
  connection_limit: Type.Integer({ description: 'How many connections to its mail server it may have at a time' }),
  own_limits: Type.Union([MailboxLimits, Type.Null()], {
    description: 'What its owner has set in place of the provider’s limits; null where the caller may not set any',
  }),
  provider_limits: MailboxLimits,
  last_error: Type.Union(
    [
      Type.Object({
        reply: Type.String({ description: 'What the mail server said' }),
        recipient: Type.String(),
        at: Type.String({ description: 'ISO 8601, UTC' }),
      }),
      Type.Null(),
    ],
    { description: 'The newest mail of the last seven days that was refused or put off' },
  ),
})
/** What a mailbox has used of its quota, and what went wrong last. */
export type ConfigUsage = Static<typeof ConfigUsage>

const ConfigChanges = Type.Object({
  status: Type.Optional(Type.Enum(['active', 'paused'], { description: 'paused: nothing leaves until it is active' })),
  limit_per_minute: Type.Optional(quotaCount('Null: what is known of the provider')),
  limit_per_day: Type.Optional(quotaCount('Null: what is known of the provider')),
  limit_connections: Type.Optional(connectionCount('Null: what is known of the provider')),
  reading: Type.Optional(
    Type.Boolean({ description: 'Read replies and bounces from now on; nothing in the mailbox is changed' }),
  ),
  imap_host: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 253 }), Type.Null()], {
      description: 'Provider other only; null: derived from the mail server',
    }),
  ),
  imap_port: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 65535 }), Type.Null()])),
  imap_security: Type.Optional(Type.Union([Type.Enum([...smtpSecurities]), Type.Null()])),
})
export type ConfigChanges = Static<typeof ConfigChanges>

const DiscoveredServer = Type.Object({
  server: Type.Union([
    Type.Object({
      smtp_host: Type.String(),
      smtp_port: Type.Integer(),
      smtp_security: Type.Enum([...smtpSecurities]),
      is_sure: Type.Boolean({
        description: 'False: only DNS says so, and the host is of another domain; ask the owner whether it is right',
      }),
    }),
    Type.Null({ description: 'The domain says nothing of a mail server' }),
  ]),
})
/** The mail server that an address's domain publishes. */
export type DiscoveredServer = Static<typeof DiscoveredServer>

/** Providers where an owner can sign in (XOAUTH2) in place of an app password. */
export const signInProviders = ['gmail', 'outlook'] as const
export type SignInProvider = (typeof signInProviders)[number]

const MailboxSignIn = Type.Object({
  email_address: Type.String({ minLength: 1 }),
  provider: Type.Enum([...signInProviders]),
  reading: Type.Optional(
    Type.Boolean({ description: 'Ask for the permission to read replies and bounces, too. Default false' }),
  ),
})
export type MailboxSignIn = Static<typeof MailboxSignIn>

export const addEmailConfig = defineOperation({
  name: 'addEmailConfig',
  summary: 'Connect a mailbox; logs in to its mail server before it is saved',
  ...routeOf(routes.addEmailConfig),
  access: 'member',
  permission: 'mailboxes:write',
  embed: { scope: 'configs:write' },
  body: NewConfig,
  answers: {
    201: { description: 'Connected. An address connected before keeps its id and secret key.', body: Config },
  },
  isRepeatable: true,
  errors: ['mailbox_refused', 'mailbox_unreachable', 'too_many_attempts'],
})

export const startMailboxSignIn = defineOperation({
  name: 'startMailboxSignIn',
  summary: 'Start connecting a mailbox by a sign-in at its provider, without an app password',
  ...routeOf(routes.startMailboxSignIn),
  access: 'member',
  permission: 'mailboxes:write',
  body: MailboxSignIn,
  answers: {
    200: {
      description:
        'The address that the browser is to open. It comes back to /dashboard/email_config with code and state.',
      body: Type.Object({ url: Type.String() }),
    },
  },
  errors: ['mailbox_sign_in_not_offered', 'mailbox_sign_in_failed'],
})

export const finishMailboxSignIn = defineOperation({
  name: 'finishMailboxSignIn',
  summary: 'Finish connecting a mailbox after the sign-in at its provider; for the member who started it',
  ...routeOf(routes.finishMailboxSignIn),
  access: 'member',
  permission: 'mailboxes:write',
  body: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 4096 }),
    state: Type.String({ minLength: 1, maxLength: 4096 }),
  }),
  answers: {
    201: { description: 'Connected. An address connected before keeps its id and secret key.', body: Config },
  },
  isRepeatable: true,
  errors: ['mailbox_sign_in_not_offered', 'mailbox_sign_in_failed', 'mailbox_refused', 'mailbox_unreachable'],
})

export const listMailboxSignIns = defineOperation({
  name: 'listMailboxSignIns',
  summary: 'The providers where a mailbox can be connected by signing in, as this server is set up',
  ...routeOf(routes.listMailboxSignIns),
  access: 'member',
  permission: 'mailboxes:read',
  answers: { 200: { description: 'The providers.', body: Type.Array(Type.Enum([...signInProviders])) } },
})

export const discoverMailServer = defineOperation({
  name: 'discoverMailServer',
  summary: 'Discover the mail server of an address from its domain; no password is needed and none is sent',
  ...routeOf(routes.discoverMailServer),
  access: 'member',
  permission: 'mailboxes:write',
  embed: { scope: 'configs:write' },
  body: Type.Object({ email_address: Type.String({ minLength: 1 }) }),
  answers: { 200: { description: 'What the domain says.', body: DiscoveredServer } },
  errors: ['too_many_attempts'],
})

export const listConfigUsage = defineOperation({
  name: 'listConfigUsage',
  summary: 'Quota use and last error of each mailbox, in the order of the list',
  ...routeOf(routes.listConfigUsage),
  access: 'member',
  permission: 'mailboxes:read',
  embed: { scope: 'configs:read' },
  query: Type.Object(CursorPaging),
  answers: pageAnswer('One item for each mailbox.', ConfigUsage),
})

export const updateEmailConfig = defineOperation({
  name: 'updateEmailConfig',
  summary: 'Pause or resume a mailbox, or set its own limits',
  ...routeOf(routes.updateEmailConfig),
  access: 'member',
  permission: 'mailboxes:write',
  embed: { scope: 'configs:write' },
  params: Type.Object({ id: Type.String() }),
  body: ConfigChanges,
  answers: { 200: { description: 'Changed.', body: Config } },
  errors: [
    'config_not_found',
    'mailbox_paused',
    'imap_unreachable',
    'imap_refused',
    'reading_needs_consent',
    'imap_not_offered',
  ],
})

export const rotateSecretKey = defineOperation({
  name: 'rotateSecretKey',
  summary: 'Rotate the secret key of a mailbox; the old key works for another 24 hours',
  ...routeOf(routes.rotateSecretKey),
  access: 'member',
  permission: 'keys:write',
  isRepeatable: true,
  params: Type.Object({ id: Type.String() }),
  answers: { 200: { description: 'It has a new secret key.', body: Config } },
  errors: ['config_not_found'],
})

export const listEmailConfigs = defineOperation({
  name: 'listEmailConfigs',
  summary: 'The mailboxes of the workspace, oldest first',
  ...routeOf(routes.listEmailConfigs),
  access: 'member',
  permission: 'mailboxes:read',
  embed: { scope: 'configs:read' },
  query: Type.Object(CursorPaging),
  answers: pageAnswer('The mailboxes.', Config),
})

export const deleteEmailConfig = defineOperation({
  name: 'deleteEmailConfig',
  summary: 'Disconnect a mailbox; what it has not sent yet is cancelled',
  ...routeOf(routes.deleteEmailConfig),
  access: 'member',
  permission: 'mailboxes:write',
  embed: { scope: 'configs:write' },
  params: Type.Object({ id: Type.String() }),
  answers: { 204: { description: 'Gone, with its app password and its secret key.' } },
  errors: ['config_not_found'],
})
