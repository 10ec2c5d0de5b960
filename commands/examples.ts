import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startExamples, type ExampleEmbed } from '../examples/sites.ts'

// `npm run examples`: the pages of examples/, each on an origin of its own, against the server that `npm start` runs.

const api = process.env['SENDWRIGHT_URL'] ?? 'http://localhost:4000'
const dataDir = process.env['DATA_DIR'] ?? join(import.meta.dirname, '../data')
const firstPort = 4101
const name = 'Examples'

interface Row {
  id: string
  name: string
  secret_key: string
}

try {
  const sites = await startExamples(firstPort)
  sites.show(await prepare(Object.values(sites.urls)))
  console.log('\nExamples, each a site of its own:\n')
  for (const [example, url] of Object.entries(sites.urls)) console.log(`  ${example.padEnd(14)} ${url}`)
  console.log('\nCtrl+C stops them.')
  process.once('SIGINT', () => void sites[Symbol.asyncDispose]())
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

/** Signs in as the demo and gives it an embed that these origins may show. */
async function prepare(origins: string[]): Promise<ExampleEmbed> {
  const password = await readFile(join(dataDir, 'demo-password'), 'utf8').catch(() => null)
  if (password === null)
    throw new Error(`There is no demo sign-in in ${dataDir}. Run npm start first, with the sandbox on.`)
  const { access_token: token } = await call<{ access_token: string }>('POST', '/auth/login', null, {
    email: 'demo@localhost',
    password: password.trim(),
  })
  const [config] = await call<Row[]>('GET', '/email/configs', token)
  if (config === undefined)
    throw new Error('The demo has no mailbox. Connect one in the dashboard, then run this again.')
  const body = { name, allowed_origins: origins, widgets: ['compose', 'template-picker', 'config-manager'] }
  const known = (await call<Row[]>('GET', '/embeds', token)).find((embed) => embed.name === name)
  const { id } = known
    ? await call<Row>('PATCH', `/embeds/${known.id}`, token, body)
    : await call<Row>('POST', '/embeds', token, { ...body, popup_sign_in: true })
  return { api, embed: id, secretKey: config.secret_key }
}

async function call<T>(method: string, path: string, token: string | null, body?: object): Promise<T> {
  const answer = await fetch(api + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (answer === null) throw new Error(`Nothing answers at ${api}. Run npm start in another terminal first.`)
  const got = (await answer.json()) as T & { detail?: unknown }
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(got.detail)}`)
  return got
}
