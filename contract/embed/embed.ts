import { Type, type Static } from 'typebox'
import { embedScopes, embedWidgets } from './embed-scopes.ts'
import {
  embedConfigsMaxCount,
  embedLimitDefaults,
  embedLimitMaxima,
  embedNameMaxChars,
  embedOriginsMaxCount,
} from './embed.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer, totalCountHeader } from '../core/paging.ts'
import * as routes from './embed.routes.ts'

const limit = (key: keyof typeof embedLimitMaxima, description: string) =>
  Type.Integer({ minimum: 1, maximum: embedLimitMaxima[key], default: embedLimitDefaults[key], description })

const limitFields = {
  messages_per_session: limit('messages_per_session', 'Messages that one session may send'),
  recipients_per_session: limit('recipients_per_session', 'Recipients of all messages of one session'),
  recipients_per_day: limit('recipients_per_day', 'Recipients of all sessions within a day, UTC'),
}
const Limits = Type.Object(limitFields)

const Widgets = Type.Array(Type.Enum([...embedWidgets]), { minItems: 1, uniqueItems: true })
const Origins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: embedOriginsMaxCount,
  description: 'Origins of the pages that may show it, such as https://www.example.com; http for localhost only',
})
const ConfigIds = Type.Union([Type.Array(Type.String(), { maxItems: embedConfigsMaxCount }), Type.Null()], {
  description: 'Mailboxes that it can use; null for all, including those connected later',
})

const Embed = Type.Object({
  id: Type.String({ description: 'pk_…: names the embed in a page and holds no power', examples: ['pk_…'] }),
  name: Type.String(),
  allowed_origins: Origins,
  widgets: Widgets,
  config_ids: ConfigIds,
  limits: Limits,
  popup_sign_in: Type.Boolean({ description: 'Whether people may sign in through the popup, without a back end' }),
  status: Type.Enum(['active', 'paused']),
  recipients_today: Type.Integer({ description: 'Recipients since midnight, UTC' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** Widgets in third-party pages: allowed origins, mailboxes and limits. */
export type Embed = Static<typeof Embed>

const NewEmbed = Type.Object({
  name: Type.String({ minLength: 1, maxLength: embedNameMaxChars }),
  allowed_origins: Origins,
  widgets: Widgets,
  config_ids: Type.Optional(ConfigIds),
  limits: Type.Optional(Type.Partial(Limits)),
  popup_sign_in: Type.Optional(Type.Boolean()),
})
export type NewEmbed = Static<typeof NewEmbed>

const EmbedChanges = Type.Object({
  ...Type.Partial(NewEmbed).properties,
  status: Type.Optional(Type.Enum(['active', 'paused'])),
})
export type EmbedChanges = Static<typeof EmbedChanges>

/** How a session was opened: with a secret key, an access token or a consent. */
export const sessionOpeners = ['key', 'token', 'consent'] as const

const EmbedSession = Type.Object({
  id: Type.String(),
  origin: Type.String(),
  scopes: Type.Array(Type.Enum([...embedScopes])),
  user_ref: Type.Union([Type.String(), Type.Null()], { description: 'Whom the site says it is for' }),
  opened_by: Type.Enum([...sessionOpeners]),
  status: Type.Enum(['active', 'ended']),
  messages: Type.Integer({ description: 'Messages it has sent' }),
  recipients: Type.Integer({ description: 'Recipients of those, and of what it has sent once more' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
  ended_at: Type.Union([Type.String(), Type.Null()], { description: 'When it was ended before its time' }),
})
export type EmbedSession = Static<typeof EmbedSession>

/** What sessions do that is written down. */
export const embedActs = [
  'message-sent',
  'message-retried',
  'template-saved',
  'template-deleted',
  'config-saved',
  'config-changed',
  'config-deleted',
] as const
export type EmbedAct = (typeof embedActs)[number]

const EmbedAuditEntry = Type.Object({
  id: Type.String(),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  act: Type.Enum([...embedActs]),
  session_id: Type.String(),
  origin: Type.String(),
  user_ref: Type.Union([Type.String(), Type.Null()]),
  message_id: Type.Union([Type.String(), Type.Null()]),
  subject: Type.Union([Type.String(), Type.Null()]),
  recipients: Type.Integer(),
})
/** One thing that a session did. */
export type EmbedAuditEntry = Static<typeof EmbedAuditEntry>

const byId = Type.Object({ id: Type.String() })

export const listEmbeds = defineOperation({
  name: 'listEmbeds',
  summary: 'The embeds of the workspace, newest first',
  ...routeOf(routes.listEmbeds),
  access: 'member',
  permission: 'embeds:read',
  query: Type.Object(CursorPaging),
  answers: pageAnswer('The embeds.', Embed),
})

export const createEmbed = defineOperation({
  name: 'createEmbed',
  summary: 'Create an embed: the origins of its widgets, the mailboxes they use and their sending limits',
  ...routeOf(routes.createEmbed),
  access: 'member',
  permission: 'embeds:write',
  body: NewEmbed,
  answers: { 201: { description: 'Made.', body: Embed } },
  isRepeatable: true,
  errors: ['embed_limit_reached'],
})

export const getEmbed = defineOperation({
  name: 'getEmbed',
  summary: 'One embed',
  ...routeOf(routes.getEmbed),
  access: 'member',
  permission: 'embeds:read',
  params: byId,
  answers: { 200: { description: 'The embed.', body: Embed } },
  errors: ['embed_not_found'],
})

export const updateEmbed = defineOperation({
  name: 'updateEmbed',
  summary: 'Change an embed; permissions that it loses end at once, in open sessions too',
  ...routeOf(routes.updateEmbed),
  access: 'member',
  permission: 'embeds:write',
  params: byId,
  body: EmbedChanges,
  answers: { 200: { description: 'Changed.', body: Embed } },
  errors: ['embed_not_found'],
})

export const deleteEmbed = defineOperation({
  name: 'deleteEmbed',
  summary: 'Delete an embed with its sessions and their activity; sent mails stay',
  ...routeOf(routes.deleteEmbed),
  access: 'member',
  permission: 'embeds:write',
  params: byId,
  answers: { 204: { description: 'Gone.' } },
  errors: ['embed_not_found'],
})

export const listEmbedSessions = defineOperation({
  name: 'listEmbedSessions',
  summary: 'Sessions of an embed, newest first; those of the dashboard’s own preview apart',
  ...routeOf(routes.listEmbedSessions),
  access: 'member',
  permission: 'embeds:read',
  params: byId,
  query: Type.Object({ ...CursorPaging, status: Type.Optional(Type.Enum(['active', 'ended'])) }),
  answers: pageAnswer('The sessions.', EmbedSession),
  errors: ['embed_not_found'],
})

export const revokeEmbedSession = defineOperation({
  name: 'revokeEmbedSession',
  summary: 'End one session of an embed',
  ...routeOf(routes.revokeEmbedSession),
  access: 'member',
  permission: 'embeds:write',
  params: Type.Object({ id: Type.String(), session_id: Type.String() }),
  answers: { 204: { description: 'Its token no longer works.' } },
  errors: ['embed_not_found', 'embed_session_not_found'],
})

export const revokeEmbedSessions = defineOperation({
  name: 'revokeEmbedSessions',
  summary: 'End every session of an embed',
  ...routeOf(routes.revokeEmbedSessions),
  access: 'member',
  permission: 'embeds:write',
  params: byId,
  answers: { 204: { description: 'Their tokens no longer work.' } },
  errors: ['embed_not_found'],
})

export const listEmbedAudit = defineOperation({
  name: 'listEmbedAudit',
  summary: 'Activity of the sessions of an embed, newest first; kept for 90 days',
  ...routeOf(routes.listEmbedAudit),
  access: 'member',
  permission: 'embeds:read',
  params: byId,
  query: Type.Object(CursorPaging),
  answers: {
    200: {
      description: 'What they did.',
      body: Type.Array(EmbedAuditEntry),
      headers: { [totalCountHeader]: 'How many there are in all' },
    },
  },
  errors: ['embed_not_found'],
})
