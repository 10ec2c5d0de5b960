import { errors, type ErrorCode } from '../../contract/core/errors.ts'
import { bodyMaxBytes, idempotencyKeptHours, idempotencyKeyMaxChars } from '../../contract/core/limits.ts'
import {
  contextMaxCount,
  queueMaxCount,
  recipientsMaxCount,
  subjectMaxChars,
} from '../../contract/mail/message.limits.ts'

/** Texts of the documentation page. Limits and error sentences are those of the contract. */

/** A name with its text, and the values of the text's placeholders. */
export type TermRow = readonly [name: string, text: string, values?: Readonly<Record<string, string>>]

/** Fields of the public send call, in the order of its body. */
export const sendFields = [
  ['recipient_list', 'Required. An array of addresses. Each recipient gets a separate mail.'],
  ['subject', 'Required. May contain merge variables such as {{name}}.'],
  ['content', 'Required without the query parameter template_key. The body of the mail.'],
  ['is_html', 'Whether content is HTML. Default: false.'],
  ['context', 'Values of the merge variables by name: strings, numbers or booleans.'],
] as const

/** Codes that the public send call answers, in the order of their status. */
const sendErrorCodes = [
  'malformed_body',
  'browser_with_secret_key',
  'permission_missing',
  'config_not_found',
  'template_not_found',
  'request_too_slow',
  'idempotency_in_progress',
  'mailbox_paused',
  'body_too_large',
  'unsupported_media_type',
  'validation',
  'attachment_refused',
  'design_and_body',
  'design_invalid',
  'storage_full',
  'too_many_addresses',
  'mail_too_large',
  'idempotency_key_reused',
  'client_connections_exceeded',
  'too_many_calls',
  'queue_full',
  'internal',
  'send_failed',
  'database_away',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** Error answers of the public send call: status and sentence. */
export const sendErrors = sendErrorCodes.map((code) => ({ code, ...errors[code] }))

const count = (value: number) => value.toLocaleString('en')

/** Limits of one call and one workspace. */
export const sendLimits = [
  ['Recipients in one call', '{count}', { count: count(recipientsMaxCount) }],
  ['Size of the body', '{size} MB', { size: count(bodyMaxBytes / 1024 / 1024) }],
  ['Length of the subject', '{length} characters', { length: count(subjectMaxChars) }],
  ['Merge variables in one context', '{count}', { count: count(contextMaxCount) }],
  ['Queued mails of send calls', '{count}', { count: count(queueMaxCount) }],
  ['Mails a day', 'The quota of your mailbox; mails above it wait and are sent later'],
] as const satisfies readonly TermRow[]

/** Examples of merge variables with their output. */
export const mergeExamples = [
  ['Hello {{name}}', 'The value of name in context; empty when it is missing.'],
  ['Hello {{name | default: "there"}}', 'A default value when it is missing.'],
  ['\\{{name}}', 'Literal braces.'],
] as const

/** How to retry a call safely. */
export const idempotencyText =
  'Send an Idempotency-Key header of up to {length} characters with each call, such as a new UUID, and retry with the same key after a failure: within {hours} hours the call runs once and every retry gets the same answer. A different body with the same key answers 422.'
export const idempotencyValues = { length: String(idempotencyKeyMaxChars), hours: String(idempotencyKeptHours) }

/** The same with a version that never changes, and its hash: the browser runs no other file. */
export function pinnedSnippet(baseUrl: string, version: string, integrity: string): string {
  return `<script
  async
  src="${baseUrl}/embed/${version}/compose.js"
  integrity="${integrity}"
  crossorigin="anonymous"
  data-embed="pk_…"
></script>`
}

/** The snippet for a site's page; `baseUrl` without a trailing slash. */
export function embedSnippet(baseUrl: string): string {
  return `<script async src="${baseUrl}/embed/compose.js" data-embed="pk_…"></script>

<div data-sendwright="compose" data-sendwright-token-url="/my/embed-session">
  <a href="mailto:you@example.com">Write to us</a>
</div>`
}
