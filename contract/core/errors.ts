import * as tables from './error-tables.ts'

/** Error codes of all calls: form of the request, caller, limits, state of the server. */
const commonErrors = {
  malformed_body: { status: 400, sentence: 'The body is not valid JSON. Send one JSON object in UTF-8.' },
  not_signed_in: { status: 401, sentence: 'Sign in first: the access token is missing, expired or revoked.' },
  browser_with_secret_key: {
    status: 403,
    sentence:
      'A secret key must not be used in a web page. Call this from your server, or use an embed session in the page.',
  },
  permission_missing: {
    status: 403,
    sentence: 'You do not have permission for this. Ask an owner or admin of the workspace.',
  },
  not_found: { status: 404, sentence: 'Not found. Check the address and the id.' },
  method_not_allowed: { status: 405, sentence: 'This address does not support this method.' },
  request_too_slow: {
    status: 408,
    sentence: 'The body arrived too slowly: send at least 1 kB a second. Send it again over a faster connection.',
  },
  idempotency_in_progress: {
    status: 409,
    sentence: 'A call with this Idempotency-Key is in progress. Retry it in a moment.',
  },
  body_too_large: { status: 413, sentence: 'The body is larger than 1 MB. Send less at once.' },
  unsupported_media_type: { status: 415, sentence: 'Send the body as application/json, uncompressed.' },
  validation: { status: 422, sentence: 'The request does not have the expected shape.' },
  idempotency_key_reused: {
    status: 422,
    sentence: 'This Idempotency-Key was used for another call. Use a new key for a new call.',
  },
  websocket_only: { status: 426, sentence: 'Open this address as a websocket.' },
  too_many_attempts: { status: 429, sentence: 'Too many attempts. Try again later.' },
  client_connections_exceeded: {
    status: 429,
    sentence: 'Too many connections from your address. Close some, or reuse them.',
  },
  too_many_calls: { status: 429, sentence: 'Too many calls. Wait a moment, then send them more slowly.' },
  internal: { status: 500, sentence: 'Something went wrong on our side. Try again in a moment.' },
  database_away: { status: 503, sentence: 'The database is temporarily unavailable. Try again in a few seconds.' },
  unavailable: { status: 503, sentence: 'The service is starting or stopping. Try again in a moment.' },
} as const

type ErrorTable = Readonly<Record<string, { status: number; sentence: string }>>
type Merged<Table> = (Table extends unknown ? (table: Table) => void : never) extends (table: infer All) => void
  ? All
  : never
type ErrorsOfCalls = typeof commonErrors & Merged<(typeof tables)[keyof typeof tables]>

/**
 * Every error code of an answer: its HTTP status and the default sentence of `detail`. Sentences say what to do.
 * `docs/errors.md` and the OpenAPI description hold the same table.
 */
export const errors = Object.assign({}, commonErrors, ...Object.values<ErrorTable>(tables)) as ErrorsOfCalls

export type ErrorCode = keyof typeof errors

/** One item of a 422's `detail`: where the fault is, what to do, and its kind (spec §8). */
export interface ValidationItem {
  loc: (string | number)[]
  msg: string
  type: string
}

/** An error that a use case throws and `server/http` turns into an answer. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** For codes of status 422. */
  readonly items: readonly ValidationItem[]
  /** How long to wait before the next try; null where it does not matter. Becomes Retry-After. */
  readonly retryAfterMs: number | null
  /** Further fields of the answer, beside `detail`. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    options: {
      detail?: string
      items?: readonly ValidationItem[]
      retryAfterMs?: number
      extra?: Readonly<Record<string, unknown>>
      cause?: unknown
    } = {},
  ) {
    super(options.detail ?? errors[code].sentence, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.items = options.items ?? []
    this.retryAfterMs = options.retryAfterMs ?? null
    this.extra = options.extra ?? {}
  }
}
