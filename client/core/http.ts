import type { ValidationItem } from '../../contract/core/errors.ts'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '../../contract/core/operation.ts'

/** Caller: address of the API, and the user's token. */
export interface Session {
  /** Address of the API without a trailing slash; empty means the page's own origin. */
  readonly apiBase: string
  /** Token for the next call, or null for a call without one. */
  token(): string | null
  /** Called when a call with `token` gets 401: the token has expired or was revoked. */
  rejected?(token: string): void
  /** What every screen of one session shares, by key; made by the files that name the keys. */
  readonly shared: Map<string, object>
  /** Answers calls in the network's place, for a page that shows the product without a server behind it. */
  readonly transport?: (url: string, request: RequestInit & { method: string; body?: string }) => Promise<Response>
}

/** What a caller may set for one call; `headers` win over the client's own (spec §7). */
export interface CallOptions {
  signal?: AbortSignal
  /** Lets the call outlive the page that made it. */
  keepalive?: boolean
  headers?: Readonly<Record<string, string>>
  /** A body that is not JSON, for the calls that take one. */
  stream?: { type: string; body: string | Blob }
}

type Part<K extends string, T> = T extends undefined ? Partial<Record<K, undefined>> : Record<K, T>

/** A call in the words of its operation: another route or shape than the contract's does not compile. */
export type Call<O extends Operation> = {
  route: `${O['method']} ${O['path']}`
  query?: QueryOf<O>
  /** The one status that counts as success; any 2xx without it. */
  status?: keyof O['answers']
} & Part<'params', ParamsOf<O>> &
  Part<'body', BodyOf<O>>

/** Rows of a list's page, and how many there are in all. */
export interface Page<T> {
  items: T[]
  totalCount: number
  /** Cursor of the next page; null on the last one, and for a list without cursors. */
  nextCursor: string | null
}

/** Why a call failed: `answer` the server refused it, `network` no answer arrived. */
export type ApiErrorCode = 'answer' | 'network'

/** A call that failed. The message is that of spec §8, `API Error: {status} - {detail}`, where there is a status. */
export class ApiError extends Error {
  declare readonly code: ApiErrorCode
  /** HTTP status; 0 when no answer came. */
  declare readonly status: number
  /** The answer's own sentence, its 422 list as sentences joined, else the HTTP status text. */
  declare readonly detail: string
  /** The sentence of the answer's own body; null where it had none. */
  declare readonly sentence: string | null
  /** Items of a 422; empty otherwise. */
  declare readonly items: readonly ValidationItem[]
  declare readonly url: string
  declare readonly method: string
  /** How long the server asks to wait (Retry-After), or null. */
  declare readonly retryAfterMs: number | null

  constructor(
    about: Pick<ApiError, 'code' | 'status' | 'detail' | 'url' | 'method'>,
    { cause, ...more }: Partial<Pick<ApiError, 'sentence' | 'items' | 'retryAfterMs' | 'cause'>> = {},
  ) {
    super(about.code === 'network' ? about.detail : `API Error: ${about.status} - ${about.detail}`, { cause })
    Object.assign(this, { name: 'ApiError', sentence: null, items: [], retryAfterMs: null }, about, more)
  }
}

/** Sentence of a call that got no answer. */
export const networkSentence = 'The server cannot be reached. Check your connection and try again.'

/** Makes a call and gives the answer as it came, whatever its status. Throws ApiError `network`, and AbortError. */
export async function callRaw<O extends Operation>(
  session: Session,
  call: Call<O>,
  options: CallOptions = {},
): Promise<Response> {
  const [method = '', path = ''] = call.route.split(' ')
  const url = addressOf(session.apiBase, path, call.params, call.query)
  const token = session.token()
  const { body } = call as { body?: unknown }
  try {
    const answer = await (session.transport ?? fetch)(url, {
      method,
      headers: {
        'Content-Type': options.stream?.type ?? 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // No transport gets a file: pages without a server have no import.
      ...(options.stream && { body: options.stream.body as string }),
      ...(options.signal && { signal: options.signal }),
      ...(options.keepalive && { keepalive: true }),
    })
    if (answer.status === 401 && token) session.rejected?.(token)
    return answer
  } catch (cause) {
    if (isAbort(cause)) throw cause
    throw new ApiError({ code: 'network', status: 0, detail: networkSentence, url, method }, { cause })
  }
}

/** Makes a call and gives its parsed answer, null where the content type does not say JSON. Throws ApiError. */
export async function call<O extends Operation>(
  session: Session,
  call: Call<O>,
  options?: CallOptions,
): Promise<AnswerOf<O>> {
  const answer = await callRaw(session, call, options)
  if (!answer.ok || (call.status ?? answer.status) !== answer.status) throw await errorOf(answer, call.route)
  return (await read(answer, call.route)) as AnswerOf<O>
}

/** Makes a call that lists, and gives the page with the count of all rows. Throws ApiError. */
export async function callList<O extends Operation>(
  session: Session,
  call: Call<O>,
  options?: CallOptions,
): Promise<Page<AnswerOf<O> extends readonly (infer T)[] ? T : never>> {
  const answer = await callRaw(session, call, options)
  if (!answer.ok) throw await errorOf(answer, call.route)
  const items = ((await read(answer, call.route)) ?? []) as (AnswerOf<O> extends readonly (infer T)[] ? T : never)[]
  return {
    items,
    totalCount: Number(answer.headers.get('X-Total-Count') ?? items.length),
    nextCursor: answer.headers.get('X-Next-Cursor'),
  }
}

/** Whether an error is a request that its caller gave up: nothing to show (spec §8). */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/**
 * What to show for an error: the response's detail, else a detail on the error, else its message, else
 * 'An error occurred' (spec §8). Null for an aborted request.
 */
export function errorText(error: unknown): string | null {
  if (isAbort(error)) return null
  const { response, detail, message } = (error ?? {}) as {
    response?: { detail?: unknown }
    detail?: unknown
    message?: unknown
  }
  const found = [response?.detail, detail, message].find((text) => typeof text === 'string' && text !== '')
  return typeof found === 'string' ? found : 'An error occurred'
}

type QueryValue = string | number | boolean

function addressOf(base: string, path: string, params: unknown, query: unknown): string {
  const named = (params ?? {}) as Record<string, string>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ''))
  const pairs = Object.entries((query ?? {}) as Record<string, QueryValue | QueryValue[] | undefined>)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(pairs).toString()
  // oxlint-disable-next-line regexp/no-super-linear-move -- the page's own setting, no text of a stranger
  return base.replace(/\/+$/, '') + filled + (search === '' ? '' : `?${search}`)
}

/** The parsed body of a success; null where the content type does not say JSON. Throws ApiError `network`, and AbortError. */
export async function read(answer: Response, route: string): Promise<unknown> {
  if (!(answer.headers.get('Content-Type') ?? '').includes('json')) return null
  try {
    return await answer.json()
  } catch (cause) {
    if (isAbort(cause)) throw cause
    const { url } = answer
    throw new ApiError({ code: 'network', status: 0, detail: networkSentence, url, method: methodOf(route) }, { cause })
  }
}

/** What an answer that is no success says. */
export async function errorOf(answer: Response, route: string): Promise<ApiError> {
  const body = (await answer.json().catch((error: unknown) => {
    if (isAbort(error)) throw error
    return {} // A body that is not JSON counts as an empty object (spec §8).
  })) as { detail?: unknown } | null
  const items = Array.isArray(body?.detail) ? (body.detail as ValidationItem[]) : []
  const sentences = items.map((item) => (/[.!?]$/.test(item.msg) ? item.msg : `${item.msg}.`)).join(' ')
  const sentence = sentences || (typeof body?.detail === 'string' ? body.detail : null)
  return new ApiError(
    {
      code: 'answer',
      status: answer.status,
      detail: sentence ?? answer.statusText,
      url: answer.url,
      method: methodOf(route),
    },
    { sentence, items, retryAfterMs: waitOf(answer.headers.get('Retry-After')) },
  )
}

const methodOf = (route: string) => route.split(' ', 1)[0] ?? ''

/** RFC 9110 §10.2.3: seconds, or a date. */
function waitOf(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
