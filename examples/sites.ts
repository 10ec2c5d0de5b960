import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, sep } from 'node:path'
import { rollup } from 'rollup'
import { exampleBundle } from '../rollup.config.ts'
import { answerSession } from './node-backend/session.js'

/** The examples, each a site of its own, in the order of the list, with their purpose. */
export const exampleTitles = {
  plain: 'Plain HTML, two pasted lines; users sign in through a popup',
  admin: 'An admin page whose styles match every element',
  bootstrap: 'Bootstrap',
  tailwind: 'Tailwind, dark',
  react: 'A React app that opens and closes its composer',
  htmx: 'htmx, which replaces the body',
  'strict-csp': 'A strict Content-Security-Policy, Trusted Types enforced',
  arabic: 'Arabic, right to left',
  'node-backend': 'A back end in Node that opens sessions',
} as const
export type ExampleName = keyof typeof exampleTitles
export const exampleNames = Object.keys(exampleTitles) as readonly ExampleName[]

/** The settings of the pages and of their back ends. */
export interface ExampleEmbed {
  api: string
  /** `pk_…` */
  embed: string
  /** `ck_…`: stays on the server, as in production. */
  secretKey: string
}

/** Running examples. Call `show` after the start, because an embed needs the sites' origins. */
export interface ExampleSites extends AsyncDisposable {
  urls: Readonly<Record<ExampleName, string>>
  show: (embed: ExampleEmbed) => void
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Serves every example on a port of its own: counting from `firstPort`, or another free one if that is in use. */
export async function startExamples(firstPort: number | null): Promise<ExampleSites> {
  let embed: ExampleEmbed | null = null
  const app = await bundleApp('react/app.tsx')
  const servers = await Promise.all(
    exampleNames.map(async (name, at) => {
      const server = createServer((request, response) => {
        void answer(name, request, response, app, embed).catch(() => response.writeHead(500).end())
      })
      await listen(server, firstPort === null ? 0 : firstPort + at)
      return server
    }),
  )
  const urls = Object.fromEntries(
    servers.map((server, at) => [exampleNames[at], `http://localhost:${(server.address() as AddressInfo).port}`]),
  ) as Record<ExampleName, string>
  return {
    urls,
    show: (given) => void (embed = given),
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
    },
  }
}

/** Listens on a port, or on any free one if it is in use or not permitted. */
async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (port === 0) throw error
    await listen(server, 0)
  }
}

async function answer(
  name: ExampleName,
  request: IncomingMessage,
  response: ServerResponse,
  app: string,
  embed: ExampleEmbed | null,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (embed === null) {
    response.writeHead(503).end()
    return
  }
  if (pathname === '/my/embed-session') {
    await answerSession(request, response, { ...embed, origin: `http://${request.headers.host ?? ''}` })
    return
  }
  const content = await read(name, pathname, app)
  const type = types[extname(pathname === '/' ? 'index.html' : pathname)]
  if (content === null || type === undefined) {
    response.writeHead(404).end()
    return
  }
  const nonce = randomBytes(16).toString('base64')
  const page = { api: embed.api, embed: embed.embed, nonce }
  const text = type.startsWith('text/html')
    ? content.replaceAll(/\{\{(api|embed|nonce)\}\}/g, (_, key: keyof typeof page) => page[key])
    : content
  const policy = name === 'strict-csp' ? { 'content-security-policy': strictPolicy(embed.api, nonce) } : {}
  // No caching: an example may change while it is open.
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...policy }).end(text)
}

/** A file of the example, or of its npm package. */
async function read(name: ExampleName, pathname: string, app: string): Promise<string | null> {
  if (name === 'react' && pathname === '/app.js') return app
  const [, fromPackage] = /^\/packages\/((?:@[\w-]+\/)?(?:bootstrap|browser|htmx\.org)\/dist\/.+)$/.exec(pathname) ?? []
  const folder =
    fromPackage === undefined ? join(import.meta.dirname, name) : join(import.meta.dirname, '../node_modules')
  const file = join(folder, normalize(fromPackage ?? (pathname === '/' ? 'index.html' : pathname)))
  if (!file.startsWith(folder + sep)) return null
  return readFile(file, 'utf8').catch(() => null) // Missing.
}

/** No unsafe-inline, scripts by nonce, Trusted Types enforced: the minimum that a page needs for a widget. */
function strictPolicy(api: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    'img-src https:',
    `connect-src 'self' ${api}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ')
}

/** The script of an example, by its entry in this folder. */
export async function bundleApp(entry: string): Promise<string> {
  const bundle = exampleBundle(join(import.meta.dirname, entry))
  const made = await rollup(bundle)
  const { output } = await made.generate(bundle.output)
  await made.close()
  return output[0].code
}
