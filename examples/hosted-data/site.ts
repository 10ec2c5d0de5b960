import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bundleApp } from '../sites.ts'

/** The address of the backend, and a read key. */
export interface HostedBackend {
  api: string
  key: string
}

/** The running site. Call `show` after the start of the backend. */
export interface HostedDataSite extends AsyncDisposable {
  url: string
  show: (backend: HostedBackend) => void
}

const types = { '/': 'text/html', '/page.css': 'text/css', '/app.js': 'text/javascript' } as const
const passedHeaders = ['authorization', 'content-type', 'idempotency-key', 'x-api-key'] as const

/** Serves the page of hosted users on any free port; forwards the calls of its users to the backend. */
export async function startHostedData(): Promise<HostedDataSite> {
  let backend: HostedBackend | null = null
  const app = await bundleApp('hosted-data/app.ts')
  const server = createServer((request, response) => {
    const answered = backend === null ? Promise.reject(new Error('not yet')) : answer(request, response, app, backend)
    answered.catch(() => response.writeHead(503).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    show: (given) => void (backend = given),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The read key in a server's own pages. Throws if there is none. */
export async function readPageKey(api: string): Promise<string> {
  const page = await (await fetch(`${api}/login`, { headers: { accept: 'text/html' } })).text()
  const key = /<meta name="sendwright-hosted-key" content="([\w-]+)"/.exec(page)?.[1]
  if (key === undefined) throw new Error(`The pages of ${api} contain no key of the hosted data backend.`)
  return key
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  app: string,
  { api, key }: HostedBackend,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/auth-collections/')) {
    await passOn(request, response, api + pathname)
    return
  }
  if (!Object.hasOwn(types, pathname)) {
    response.writeHead(404).end()
    return
  }
  const name = pathname === '/' ? 'index.html' : pathname.slice(1)
  const file = pathname === '/app.js' ? app : await readFile(join(import.meta.dirname, name), 'utf8')
  const type = `${types[pathname as keyof typeof types]}; charset=utf-8`
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(file.replace('{{key}}', key))
}

/** Forwards a call of the page to the backend, which has another origin. */
async function passOn(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
  const headers = passedHeaders.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  const { method = 'GET' } = request
  const body = method === 'GET' ? undefined : await text(request)
  const answered = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const type = answered.headers.get('content-type') ?? 'application/json'
  response.writeHead(answered.status, { 'content-type': type, 'cache-control': 'no-store' }).end(await answered.text())
}
