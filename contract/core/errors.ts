/**
 * Every error an answer can name: its HTTP status and the sentence that stands in `detail` when the use-case gives no
 * more exact one. Sentences say what to do. `docs/errors.md` and the OpenAPI description hold the same table.
 */
export const errors = {
  malformed_body: { status: 400, sentence: 'The body is not valid JSON. Send one JSON object in UTF-8.' },
  mailbox_refused: { status: 400, sentence: 'The mail server refused this address and app password. Check both.' },
  mailbox_unreachable: {
    status: 400,
    sentence: 'The mail server cannot be reached. Check its host, port and security.',
  },
  mailbox_sign_in_failed: {
    status: 400,
    sentence: 'The sign-in at the mailbox’s provider was not completed. Start it again.',
  },
  mailbox_sign_in_not_offered: {
    status: 400,
    sentence:
      'Signing in with this provider is not set up on this server. Use an app password, or ask its operator to set it up.',
  },
  reset_invalid: {
    status: 400,
    sentence: 'This reset link has ended or was used already. Ask for a new one.',
  },
  password_wrong: { status: 400, sentence: 'This is not your current password. Type it again.' },
  embed_code_invalid: {
    status: 400,
    sentence: 'This code has ended, was used already, or is another page’s. Ask for consent again.',
  },
  sign_in_code_invalid: { status: 400, sentence: 'This sign-in has ended. Sign in again.' },
  invalid_credentials: { status: 401, sentence: 'Invalid credentials' },
  api_key_refused: {
    status: 401,
    sentence: 'The API key is missing, unknown or revoked. Send one in the x-api-key header.',
  },
  not_signed_in: { status: 401, sentence: 'Sign in first: the access token is missing, has ended or was revoked.' },
  embed_session_ended: {
    status: 401,
    sentence: 'This embed session has ended or was revoked. Open a new one.',
  },
  email_not_confirmed: {
    status: 403,
    sentence: 'Confirm your email address first: open the link in the mail we sent you.',
  },
  browser_with_secret_key: {
    status: 403,
    sentence:
      'A secret key must not be used in a web page. Call this from your server, or use an embed session in the page.',
  },
  token_in_foreign_page: {
    status: 403,
    sentence: 'An access token must not be used in another site’s page. Use an embed session there.',
  },
  embed_session_in_browser: {
    status: 403,
    sentence: 'Open embed sessions on your server, and hand only their token to the page.',
  },
  embed_forbidden: { status: 403, sentence: 'An embed session may not do this.' },
  embed_origin_refused: {
    status: 403,
    sentence:
      'This page’s origin is not among the allowed origins of the embed. Add it in the dashboard, under Embeds.',
  },
  embed_scope_refused: { status: 403, sentence: 'The embed does not give this scope.' },
  embed_popup_off: {
    status: 403,
    sentence: 'This embed takes no sign-in through a popup. Its site opens sessions on its own server.',
  },
  permission_missing: {
    status: 403,
    sentence: 'You do not have the permission for this. Ask an owner or admin of the workspace.',
  },
  hosted_sign_in_not_recent: {
    status: 403,
    sentence:
      'Changing email or password needs a sign-in within the last 10 minutes. Sign in again, or send current_password.',
  },
  collection_forbidden: { status: 403, sentence: 'This API key may not do this in this collection.' },
  not_found: { status: 404, sentence: 'Nothing is here. Check the address and the id.' },
  config_not_found: { status: 404, sentence: 'No email configuration matches. Check the secret key or the id.' },
  message_not_found: { status: 404, sentence: 'No message has this id.' },
  template_not_found: { status: 404, sentence: 'No template has this id.' },
  campaign_not_found: { status: 404, sentence: 'No campaign has this id.' },
  suppression_not_found: { status: 404, sentence: 'No suppression has this id.' },
  confirmation_unknown: {
    status: 404,
    sentence: 'This confirmation link is not valid. Open the newest mail we sent you.',
  },
  embed_not_found: { status: 404, sentence: 'No embed has this id.' },
  embed_session_not_found: { status: 404, sentence: 'This embed has no open session with this id.' },
  document_not_found: { status: 404, sentence: 'No document has this id in this collection.' },
  session_not_found: { status: 404, sentence: 'No session of yours has this id. It may have ended already.' },
  method_not_allowed: { status: 405, sentence: 'This address does not take this method.' },
  request_too_slow: {
    status: 408,
    sentence: 'The body arrived too slowly: send at least 1 kB a second. Send it again over a faster connection.',
  },
  idempotency_in_progress: {
    status: 409,
    sentence: 'A call with this Idempotency-Key is under way. Repeat it in a moment.',
  },
  password_missing: {
    status: 409,
    sentence: 'This account has no password yet. Set one first with “Forgot your password?” on the sign-in page.',
  },
  mailbox_paused: { status: 409, sentence: 'This mailbox is paused. Connect it again before you send.' },
  embed_paused: { status: 409, sentence: 'This embed is paused. Its owner can resume it in the dashboard.' },
  embed_limit_reached: { status: 409, sentence: 'There are 500 embeds already. Delete one before you make another.' },
  campaign_state: { status: 409, sentence: 'The campaign’s state does not allow this.' },
  campaign_empty: { status: 409, sentence: 'The campaign has no recipients. Add some first.' },
  campaign_has_recipients: {
    status: 409,
    sentence: 'The campaign has recipients, and each keeps its sender. Make a new campaign for other mailboxes.',
  },
  postal_address_missing: {
    status: 409,
    sentence: 'A campaign carries your postal address. Set it with PATCH /workspace first.',
  },
  suppression_locked: {
    status: 409,
    sentence: 'This person asked not to be written to. Add ?consented=true only if they have asked for mail again.',
  },
  document_exists: {
    status: 409,
    sentence: 'A document with this id is there already. Change it, or choose another id.',
  },
  collection_full: { status: 409, sentence: 'This collection holds as much as it may. Delete something first.' },
  hosted_email_taken: { status: 409, sentence: 'This email address has a user already. Sign in, or use another.' },
  templates_full: { status: 409, sentence: 'There are 10,000 templates already. Delete one before you save another.' },
  drafts_full: { status: 409, sentence: 'There are 200 drafts already. Delete one before you save another.' },
  confirmation_expired: { status: 410, sentence: 'This confirmation link has expired.' },
  body_too_large: { status: 413, sentence: 'The body is larger than 1 MB. Send less at once.' },
  document_too_large: { status: 413, sentence: 'The document is larger than 256 kB. Store less in it.' },
  unsupported_media_type: { status: 415, sentence: 'Send the body as application/json, without compression.' },
  validation: { status: 422, sentence: 'The request does not have the expected shape.' },
  mail_too_large: {
    status: 422,
    sentence: 'With its variables filled the mail is larger than 10 MB, or its subject longer than 998 characters.',
  },
  idempotency_key_reused: {
    status: 422,
    sentence: 'This Idempotency-Key was used for another call. Use a new key for a new call.',
  },
  websocket_only: { status: 426, sentence: 'Open this address as a websocket.' },
  too_many_attempts: { status: 429, sentence: 'Too many attempts. Wait a while, then try again.' },
  proof_of_work_required: {
    status: 429,
    sentence:
      'Too many sign-ins from your network have failed. Solve the challenge and send its solution as proof_of_work, or try again later.',
  },
  client_connections_exceeded: {
    status: 429,
    sentence: 'Your address holds too many connections open. Close some, or use each for several calls.',
  },
  too_many_calls: { status: 429, sentence: 'Too many calls. Wait a moment, then go on more slowly.' },
  embed_quota_used: { status: 429, sentence: 'This embed has sent as much as it may. Its owner can raise the limit.' },
  queue_full: { status: 429, sentence: 'Too many mails are waiting to be sent. Try again when some have left.' },
  internal: { status: 500, sentence: 'Something went wrong on our side. Try again in a moment.' },
  send_failed: { status: 502, sentence: 'The mail server refused the message for every recipient.' },
  hosted_unreachable: { status: 502, sentence: 'The hosted data backend cannot be reached. Try again in a moment.' },
  list_too_slow: {
    status: 503,
    sentence: 'The list took too long. Add a filter on equality, or ask for fewer documents.',
  },
  database_away: { status: 503, sentence: 'The database is away for a moment. Try again in a few seconds.' },
  unavailable: { status: 503, sentence: 'The service is starting or stopping. Try again in a moment.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errors

/** One item of a 422's `detail`: where the fault is, what to do, and its kind (spec §8). */
export interface ValidationItem {
  loc: (string | number)[]
  msg: string
  type: string
}

/** An error that a use-case throws and `server/http` turns into an answer. */
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
