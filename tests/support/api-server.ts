import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Value } from 'typebox/value'
import type { Operation } from '../../contract/core/operation.ts'
import { operations } from '../../contract/core/operations.ts'

/** A request as it arrived; `body` is parsed if it was JSON, `params` are those of the operation's path. */
export interface Received {
  method: string
  path: string
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingMessage['headers']
  text: string
  body: unknown
}

/** The response. `json` is checked against the contract for a success; `text` is sent verbatim. */
export interface Reply {
  status?: number
  statusText?: string
  json?: unknown
  text?: string
  headers?: Record<string, string>
  /** Closes the connection instead of responding. */
  hangUp?: boolean
}

export type Handler = Reply | ((received: Received) => Reply | Promise<Reply>)

/** A server that responds as the contract describes, on an ephemeral port. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string
  /** Every request that matched an operation, in order. */
  readonly received: Received[]
  /** Sets the response of an operation, by its name. */
  on(name: string, handler: Handler): void
  close(): Promise<void>
}

/** Starts the server. A request that matches no operation goes to `fallback`, or gets the 404 of the contract. */
export async function startApi(handlers: Record<string, Handler> = {}, fallback?: RequestListener): Promise<ApiServer> {
  const received: Received[] = []
  const byName = new Map<string, Handler>()
  const on = (name: string, handler: Handler) => {
    if (!operations.some((operation) => operation.name === name)) throw new Error(`The contract has no ${name}.`)
    byName.set(name, handler)
  }
  for (const [name, handler] of Object.entries(handlers)) on(name, handler)

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const match = findOperation(request.method ?? 'GET', url.pathname)
    if (match === null && fallback !== undefined) fallback(request, response)
    else answer(request, response, url, match).catch((error: unknown) => fail(response, error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse, url: URL, match: Match | null) {
    const body = await text(request)
    const got: Received = {
      method: request.method ?? 'GET',
      path: url.pathname,
      params: match?.params ?? {},
      query: url.searchParams,
      headers: request.headers,
      text: body,
      body: parse(body),
    }
    received.push(got)
    const handler = match === null ? undefined : byName.get(match.operation.name)
    const reply = handler === undefined ? missing : typeof handler === 'function' ? await handler(got) : handler
    if (match !== null) checkReply(match.operation, reply)
    send(response, reply)
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, received, on, close, [Symbol.asyncDispose]: close }
}

/** The test reads why instead of waiting for a response. */
function fail(response: ServerResponse, error: unknown): void {
  response.writeHead(500, { 'Content-Type': 'application/json' }).end(JSON.stringify({ detail: String(error) }))
}

const missing: Reply = { status: 404, json: { detail: 'Not found. Check the address and the id.' } }

interface Match {
  operation: Operation
  params: Record<string, string>
}

function findOperation(method: string, path: string): Match | null {
  for (const operation of operations) {
    if (operation.method !== method) continue
    const pattern = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const found = pattern.exec(path)
    if (found === null) continue
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { operation, params: Object.fromEntries(params) as Record<string, string> }
  }
  return null
}

/** A stand-in that violates the contract would prove nothing. */
function checkReply(operation: Operation, reply: Reply): void {
  const shape = operation.answers[reply.status ?? 200]?.body
  if (shape !== undefined && reply.json !== undefined && !Value.Check(shape, reply.json)) {
    throw new Error(`${operation.name}: the response does not match the contract.`)
  }
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply.hangUp) {
    response.socket?.destroy()
    return
  }
  const isJson = reply.json !== undefined
  const headers = {
    'Cache-Control': 'no-store',
    ...(isJson && { 'Content-Type': 'application/json; charset=utf-8' }),
    ...reply.headers,
  }
  if (reply.statusText === undefined) response.writeHead(reply.status ?? 200, headers)
  else response.writeHead(reply.status ?? 200, reply.statusText, headers)
  response.end(isJson ? JSON.stringify(reply.json) : (reply.text ?? ''))
}

function parse(body: string): unknown {
  try {
    return body === '' ? undefined : JSON.parse(body)
  } catch {
    return undefined // Not JSON: `text` contains it.
  }
}
