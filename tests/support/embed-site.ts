import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { loaderFiles } from '../../contract/embed/embed-files.ts'
import { addEmbedFiles } from '../../server/http/embeds/embed-files.ts'
import { publishEmbed } from '../../server/store/embeds/embed-files.ts'
import { startApi, type ApiServer } from './api-server.ts'
import { sampleConfig, sampleMessage } from './samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A script that a page may name. */
export type LoaderFile = (typeof loaderFiles)[number]

/** A third-party page: its HTML, and its response headers. */
export interface HostPage {
  html: string
  headers?: Record<string, string>
}

/** A third-party site, on an origin of its own. */
export interface HostSite extends AsyncDisposable {
  readonly url: string
  /** Sets the response of a path: a page, or a handler. */
  on(path: string, answer: string | HostPage | ((request: IncomingMessage, response: ServerResponse) => void)): void
}

/** Starts a site; a path without a response is 404. */
export async function startHostSite(): Promise<HostSite> {
  const answers = new Map<string, Parameters<HostSite['on']>[1]>()
  const server = createServer((request, response) => {
    const answer = answers.get(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (typeof answer === 'function') {
      answer(request, response)
      return
    }
    const { html, headers } = typeof answer === 'string' ? { html: answer, headers: {} } : (answer ?? { html: null })
    response.writeHead(html === null ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
    response.end(html)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    on: (path, answer) => void answers.set(path, answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The API for an embed, with the built embed's files served by the server's own code. */
export interface EmbedApi extends AsyncDisposable {
  readonly api: ApiServer
  readonly url: string
  readonly version: string
  readonly integrity: Readonly<Record<string, string>>
}

/** Starts an API on its own origin that responds as the contract describes and allows every origin; `built` is the build's output. */
export async function startEmbedApi(built = join(import.meta.dirname, '../../dist/embed')): Promise<EmbedApi> {
  const folder = await temporaryFolder()
  let count = 0
  const published = await publishEmbed(built, folder.path, () => String((count += 1)))
  const app = Fastify()
  await addEmbedFiles(app, published.folder)
  await app.ready()
  const preflight: RequestListener = (request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, cors).end()
    else app.routing(request, response)
  }
  const api = await startApi({}, preflight)
  setDefaultResponses(api)
  return {
    api,
    url: api.url,
    version: published.newest?.version ?? '',
    integrity: published.newest?.integrity ?? {},
    async [Symbol.asyncDispose]() {
      await api.close()
      await app.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Sets the responses of a working API. */
export function setDefaultResponses(api: ApiServer): void {
  api.on('listEmailConfigs', {
    json: [sampleConfig({ secret_key: 'eh_one' })],
    headers: { 'X-Total-Count': '1', ...cors },
  })
  const facts = { id: 'pk_test', widgets: ['compose', 'template-picker', 'config-manager'], popup_sign_in: true }
  api.on('getEmbedConfig', { json: facts, headers: cors })
  api.on('listConfigUsage', { json: [], headers: { 'X-Total-Count': '0', ...cors } })
  api.on('sendMailWithKey', {
    json: { message: 'Email sent successfully to 1 recipient', id: 'msg_1', accepted: 1, suppressed: 0 },
    headers: cors,
  })
  const message = JSON.stringify(sampleMessage({ 'a@example.com': 'sent' }))
  const headers = { 'Content-Type': 'text/event-stream', ...cors }
  api.on('watchMessage', { text: `event: progress\ndata: ${message}\n\n`, headers })
  api.on('getMessage', { json: sampleMessage({ 'a@example.com': 'sent' }), headers: cors })
}

/** Headers that allow any page; the real server names one origin. */
export const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Expose-Headers': '*',
}

/** A page with widgets, as a site owner pastes them; in HTML mode by default (`mode: ''` leaves the attribute out). */
export function pageWith(
  embed: { url: string },
  body: string,
  {
    script = '',
    head = '',
    loader = 'loader.js',
    mode = 'html',
  }: { script?: string; head?: string; loader?: LoaderFile; mode?: 'html' | '' } = {},
): string {
  const named = mode && `data-mode="${mode}"`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>${head}
<script async src="${embed.url}/embed/${loader}" data-embed="pk_test" data-token-url="/session" ${named} ${script}></script>
</head><body>${body}</body></html>`
}

/** A session as a site's back end returns it. */
export function sessionAnswer(token = 'es_one', lifeMs = 900_000): HostPage {
  return {
    html: JSON.stringify({ session_token: token, expires_at: new Date(Date.now() + lifeMs).toISOString() }),
    headers: { 'Content-Type': 'application/json' },
  }
}
