import * as routes from '../../contract/hosted/hosted.routes.ts'
import { ApiError } from '../core/http.ts'

/** What to look for first, by status (spec §8). */
const hints: Readonly<Record<number, string>> = {
  401: 'Check the API key; for a user’s own data, sign in first.',
  403: 'This key may not do that here: pages carry a read key, and a write key belongs on your server only.',
  404: 'Check the names of the collection and of the document.',
  405: 'Check the address: it takes another method.',
  429: 'Too many calls at once: wait a moment, then try again.',
}

/** A user changes email or password soon after signing in only. */
const ownAccountHint = 'Sign in again, or send current_password beside the change.'

function hintOf({ status, method, url }: { status: number; method: string; url: string }): string | null {
  const [ownMethod, ownPath = ''] = routes.updateHostedUser.split(' ')
  if (status === 403 && method === ownMethod && url.endsWith(ownPath)) return ownAccountHint
  return hints[status] ?? null
}

/** A hosted call that failed (spec §8). `status` is 0 where no answer came. */
export class HostedError extends Error {
  readonly status: number
  readonly url: string
  readonly method: string
  /** The backend's error, or why there was no answer. */
  readonly error: string
  /** What to do about it, for 401, 403, 404, 405 and 429; null otherwise. */
  readonly hint: string | null
  /** How long the backend asks to wait, or null. */
  readonly retryAfterMs: number | null

  constructor(
    about: { status: number; url: string; method: string; error: string },
    more: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    const hint = hintOf(about)
    super(hint === null ? about.error : `${about.error} ${hint}`, { cause: more.cause })
    this.name = 'HostedError'
    this.status = about.status
    this.url = about.url
    this.method = about.method
    this.error = about.error
    this.hint = hint
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

/** Waits for a call; its failure becomes a HostedError. An aborted call stays one. */
export async function toHostedError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    const { status, url, method, detail, retryAfterMs } = cause
    throw new HostedError({ status, url, method, error: detail }, { retryAfterMs, cause })
  }
}
