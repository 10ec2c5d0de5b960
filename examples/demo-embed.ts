import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExampleEmbed } from './sites.ts'

/** The mailbox, workspace and keys of the examples. */
export interface DemoSignIn {
  email: string
  password: string
}

interface Row {
  id: string
  name: string
  secret_key: string
}

const name = 'Examples'
const email = 'demo@localhost'

/** Signs in as a server's demo and creates an embed for these origins. Throws one sentence for the terminal. */
export async function prepareEmbed(
  api: string,
  dataDir: string,
  origins: readonly string[],
): Promise<ExampleEmbed & { demo: DemoSignIn }> {
  const kept = await readFile(join(dataDir, 'demo-password'), 'utf8').catch(() => null)
  if (kept === null)
    throw new Error(
      `There is no demo sign-in in ${dataDir}. Set DATA_DIR to the folder of the server at ${api}, and start it with the sandbox on.`,
    )
  const password = kept.trim()
  const { access_token: token } = await call<{ access_token: string }>(api, 'POST', '/auth/login', null, {
    email,
    password,
  })
  const [config] = await call<Row[]>(api, 'GET', '/email/configs', token)
  if (config === undefined)
    throw new Error('The demo has no mailbox. Connect one in the dashboard, then run this again.')
  const body = { name, allowed_origins: origins, widgets: ['compose', 'template-picker', 'config-manager'] }
  const known = (await call<Row[]>(api, 'GET', '/embeds', token)).find((embed) => embed.name === name)
  const { id } = known
    ? await call<Row>(api, 'PATCH', `/embeds/${known.id}`, token, body)
    : await call<Row>(api, 'POST', '/embeds', token, { ...body, popup_sign_in: true })
  return { api, embed: id, secretKey: config.secret_key, demo: { email, password } }
}

async function call<T>(api: string, method: string, path: string, token: string | null, body?: object): Promise<T> {
  const answer = await fetch(api + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (answer === null) throw new Error(`No server responds at ${api}, which SENDWRIGHT_URL names.`)
  const got = (await answer.json().catch(() => ({}))) as T & { detail?: unknown }
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(got.detail)}`)
  return got
}
