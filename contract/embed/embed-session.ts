import { Type, type Static } from 'typebox'
import { embedScopes, embedWidgets } from './embed-scopes.ts'
import { embedLimitMaxima, embedSessionLifeSeconds, userRefMaxChars } from './embed.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './embed-session.routes.ts'

const Scopes = Type.Array(Type.Enum([...embedScopes]), { minItems: 1, uniqueItems: true })
const origin = Type.String({ maxLength: 300, description: 'Origin of the page, as its browser sends it' })
const embedId = Type.String({ description: 'pk_…' })

const NewEmbedSession = Type.Object({
  embed_id: embedId,
  origin,
  scopes: Type.Optional(Scopes),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: embedSessionLifeSeconds.max,
      default: embedSessionLifeSeconds.default,
      description: 'Seconds',
    }),
  ),
  user_ref: Type.Optional(
    Type.String({ minLength: 1, maxLength: userRefMaxChars, description: 'Whom it is for, in the site’s own words' }),
  ),
  limits: Type.Optional(
    Type.Object({
      messages: Type.Optional(Type.Integer({ minimum: 0, maximum: embedLimitMaxima.messages_per_session })),
      recipients: Type.Optional(Type.Integer({ minimum: 0, maximum: embedLimitMaxima.recipients_per_session })),
    }),
  ),
})
export type NewEmbedSession = Static<typeof NewEmbedSession>

const OpenedEmbedSession = Type.Object({
  session_token: Type.String({ examples: ['es_…'] }),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
  scopes: Scopes,
})
/** A fresh session. Its token is shown this once. */
export type OpenedEmbedSession = Static<typeof OpenedEmbedSession>

export const openEmbedSession = defineOperation({
  name: 'openEmbedSession',
  summary: 'Open a session for a page; with a secret key or an access token, from a server',
  ...routeOf(routes.openEmbedSession),
  access: 'opener',
  permission: 'embeds:write',
  body: NewEmbedSession,
  answers: { 201: { description: 'Opened. Hand the token to the page.', body: OpenedEmbedSession } },
  errors: ['embed_not_found', 'embed_origin_refused', 'embed_scope_refused', 'embed_paused'],
})

const EmbedFacts = Type.Object({
  id: embedId,
  widgets: Type.Array(Type.Enum([...embedWidgets])),
  popup_sign_in: Type.Boolean(),
})
/** Public data of an embed. */
export type EmbedFacts = Static<typeof EmbedFacts>

export const getEmbedConfig = defineOperation({
  name: 'getEmbedConfig',
  summary: 'Public settings of an embed, without a session',
  ...routeOf(routes.getEmbedConfig),
  access: 'public',
  caller: 'loader',
  embed: { byId: true, tellsEveryPage: true },
  query: Type.Object({ embed: embedId }),
  answers: { 200: { description: 'Widgets, and how to sign in.', body: EmbedFacts } },
  errors: ['embed_not_found', 'embed_origin_refused', 'embed_paused'],
})

const EmbedConsent = Type.Object({
  embed: Type.Object({ id: embedId, name: Type.String() }),
  origin: Type.String(),
  workspace: Type.String(),
  scopes: Scopes,
  mailboxes: Type.Array(Type.String(), { description: 'Addresses that the page could send from' }),
  limits: Type.Object({ messages: Type.Integer(), recipients: Type.Integer() }),
  minutes: Type.Integer({ description: 'How long it lasts' }),
})
/** Content of the consent window. */
export type EmbedConsent = Static<typeof EmbedConsent>

const consentErrors = [
  'embed_not_found',
  'embed_origin_refused',
  'embed_scope_refused',
  'embed_paused',
  'embed_popup_off',
] as const

export const getEmbedConsent = defineOperation({
  name: 'getEmbedConsent',
  summary: 'The permissions that a page asks a person for',
  ...routeOf(routes.getEmbedConsent),
  access: 'member',
  permission: 'workspace:read',
  query: Type.Object({
    embed: embedId,
    origin,
    scopes: Type.Optional(Type.String({ description: 'Separated by blanks; all that the embed gives where absent' })),
  }),
  answers: { 200: { description: 'What to show beside Allow.', body: EmbedConsent } },
  errors: consentErrors,
})

export const giveEmbedConsent = defineOperation({
  name: 'giveEmbedConsent',
  summary: 'Give the consent; the page exchanges the code for a session',
  ...routeOf(routes.giveEmbedConsent),
  access: 'member',
  permission: 'workspace:read',
  body: Type.Object({
    embed: embedId,
    origin,
    scopes: Type.Optional(Scopes),
    code_challenge: Type.String({ pattern: '^[\\w-]{43}$', description: 'SHA-256 of the verifier, base64url' }),
    code_challenge_method: Type.Literal('S256'),
  }),
  answers: {
    201: {
      description: 'A code that works once, within a minute, for this origin.',
      body: Type.Object({ code: Type.String() }),
    },
  },
  errors: consentErrors,
})

export const exchangeEmbedCode = defineOperation({
  name: 'exchangeEmbedCode',
  summary: 'Exchange the code of a consent for a session',
  ...routeOf(routes.exchangeEmbedCode),
  access: 'public',
  embed: { byId: true },
  body: Type.Object({
    embed_id: embedId,
    code: Type.String({ maxLength: 200 }),
    code_verifier: Type.String({ pattern: '^[\\w.~-]{43,128}$', description: 'RFC 7636 §4.1' }),
  }),
  answers: { 200: { description: 'Opened.', body: OpenedEmbedSession } },
  errors: ['embed_code_invalid'],
})
