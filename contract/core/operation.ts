import type { Static, TSchema } from 'typebox'
import type { EmbedScope } from '../embed/embed-scopes.ts'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permission.ts'

/**
 * Who may call: `public` anybody; `account` a bearer access token, its email confirmed or not; `member` the same with the
 * email confirmed, in a workspace; `key` a configuration's secret key, in the path or as bearer; `loopback` a client on
 * the same machine, while the sandbox is on; `opener` a server with a secret key or an access token as bearer; `hosted` an API key of the hosted data backend, with a hosted user's token
 * or without; `hosted-user` the same with the token.
 */
export type Access = 'public' | 'account' | 'member' | 'key' | 'opener' | 'loopback' | 'hosted' | 'hosted-user'

/** A successful answer: what it means, and its shape where it has a JSON body. */
export interface Answer {
  description: string
  body?: TSchema
  /** Content type where it is not JSON; `body` is then the shape of what comes in it, such as of an event. */
  media?: string
  headers?: Readonly<Record<string, string>>
}

/**
 * One call, described once: the server's route and validation, the client's types and the OpenAPI description come from
 * it. `path` names parameters as `{id}`.
 */
export interface Operation {
  name: string
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  access: Access
  /** The required permission; null for an access without a workspace. */
  permission: Permission | null
  /**
   * Pages of other sites may call it, from the allowed origins of an embed: `scope` with a session that has it, `byId`
   * with the embed's id alone, which opens only what is public. `tellsEveryPage`: a page of any origin may read why it is
   * refused.
   */
  embed?: { scope?: EmbedScope; byId?: true; tellsEveryPage?: true }
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** Largest body where it is not `bodyMaxBytes`. */
  bodyMaxBytes?: number
  /** Fields of the body that it does not know are ignored; elsewhere they answer 422 (H05: account calls without a sign-in). */
  ignoresUnknownFields?: true
  /** Content types of a body that is read as a stream, however long; in place of `body`. */
  bodyMedia?: readonly string[]
  /** By status. */
  answers: Readonly<Record<number, Answer>>
  /** Shape of the answers to its own codes, where it is not `{detail}`. */
  failure?: TSchema
  /**
   * Who calls it where the client has no function for it. `page`: a browser opens it and is redirected; `loader`: the embed
   * loader, by a request without a preflight; `program`: programs of others.
   */
  caller?: 'page' | 'loader' | 'program'
  /** Takes an Idempotency-Key: done once for each key, and answered the same each further time. */
  isRepeatable?: boolean
  /** Own error codes, in addition to `commonErrors`. */
  errors: readonly ErrorCode[]
}

/** An operation whose access has a workspace names its permission; the default of the others is null, and no errors. */
type Description = Omit<Operation, 'access' | 'permission' | 'errors'> & { errors?: readonly ErrorCode[] } & (
    | { access: 'member' | 'key' | 'opener'; permission: Permission }
    | { access: Exclude<Access, 'member' | 'key' | 'opener'>; permission?: never }
  )

/** Keeps the literal types of a description, so that client and server infer from it. */
export function defineOperation<const O extends Description>(operation: O): Described<O> {
  return { permission: null, errors: [], ...operation } as unknown as Described<O>
}

type Described<O> = O & {
  permission: O extends { permission: infer P } ? P : null
  errors: readonly ErrorCode[]
}

type Method = Operation['method']

/** Method and path of a route, such as `GET /email/campaign/{id}`. */
export function routeOf<M extends Method, P extends string>(route: `${M} ${P}`): { method: M; path: P } {
  const [method, path] = route.split(' ')
  return { method, path } as { method: M; path: P }
}

type ShapeOf<O extends Operation, K extends 'params' | 'query' | 'body'> =
  O extends Record<K, infer S extends TSchema> ? Static<S> : undefined

/** Shapes of a call's parts, `undefined` where it has none. */
export type ParamsOf<O extends Operation> = ShapeOf<O, 'params'>
export type QueryOf<O extends Operation> = ShapeOf<O, 'query'>
export type BodyOf<O extends Operation> = ShapeOf<O, 'body'>

/** Shape of a call's successful answer; `null` where it has no JSON body. */
export type AnswerOf<O extends Operation> = O['answers'][keyof O['answers']] extends infer A
  ? A extends { media: string }
    ? null
    : A extends { body: infer S extends TSchema }
      ? Static<S>
      : null
  : never

/** Codes of every call that needs a session or an access token. */
const signedIn: readonly ErrorCode[] = ['not_signed_in', 'embed_session_ended', 'embed_forbidden']
const hosted: readonly ErrorCode[] = ['api_key_refused', 'not_signed_in', 'hosted_unreachable']

const accessErrors: Readonly<Record<Access, readonly ErrorCode[]>> = {
  public: [],
  loopback: [],
  account: signedIn,
  member: [...signedIn, 'email_not_confirmed', 'too_many_calls'],
  key: ['browser_with_secret_key', 'too_many_calls'],
  opener: [
    'not_signed_in',
    'email_not_confirmed',
    'config_not_found',
    'browser_with_secret_key',
    'embed_session_in_browser',
    'too_many_calls',
  ],
  hosted,
  'hosted-user': hosted,
}

/** Codes that a call can answer beside its own: by access, and by whether it takes a body. */
export function commonErrors(operation: Operation): ErrorCode[] {
  const { access, embed, body, bodyMedia, permission, isRepeatable } = operation
  const codes: ErrorCode[] = ['internal', 'database_away', 'unavailable', 'client_connections_exceeded']
  codes.push(...accessErrors[access])
  if (body || bodyMedia) codes.push('request_too_slow', 'unsupported_media_type')
  if (embed) codes.push('embed_origin_refused')
  if (embed && access === 'member') codes.push('token_in_foreign_page')
  if (body) codes.push('malformed_body', 'body_too_large')
  if (permission !== null) codes.push('permission_missing')
  if (isRepeatable) codes.push('idempotency_in_progress', 'idempotency_key_reused', 'validation')
  else if (body ?? operation.query) codes.push('validation')
  return codes
}
