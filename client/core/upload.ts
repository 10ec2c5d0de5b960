import type { AnswerOf, Operation } from '../../contract/core/operation.ts'
import { call, type Call, type CallOptions, type Session } from './http.ts'

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  /** Called with the share of the file that was sent, 0 to 1. */
  onProgress?: (share: number) => void
}

/** Makes a call whose body is a file. Throws ApiError, and AbortError. */
export function upload<O extends Operation>(
  session: Session,
  about: Call<O>,
  file: Blob,
  { onProgress, signal }: UploadOptions = {},
): Promise<AnswerOf<O>> {
  const sending: Session = {
    apiBase: session.apiBase,
    shared: session.shared,
    token: () => session.token(),
    rejected: (token) => session.rejected?.(token),
    transport: session.transport ?? ((url, request) => send(url, request, file, onProgress)),
  }
  const stream = { type: 'application/octet-stream', body: file }
  return call<O>(sending, about, { stream, ...(signal && { signal }) })
}

/** `fetch` reports no progress of what it sends. */
function send(
  url: string,
  { method, headers, signal }: RequestInit & { method: string },
  file: Blob,
  onProgress: ((share: number) => void) | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.responseType = 'text'
    for (const [name, value] of Object.entries((headers ?? {}) as Record<string, string>))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('The upload broke off'))
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) request.onabort(new ProgressEvent('abort'))
    else request.send(file)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = request
    .getAllResponseHeaders()
    .split('\r\n')
    .flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : []
    })
  const { status, statusText } = request
  return new Response(status === 204 ? null : request.responseText, { status, statusText, headers })
}
