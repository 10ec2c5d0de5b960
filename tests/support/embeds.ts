import { createHash, randomBytes } from 'node:crypto'
import type { Embed, NewEmbed } from '../../contract/embed/embed.ts'
import type { NewEmbedSession } from '../../contract/embed/embed-session.ts'
import { createUser, type TestUser } from './accounts.ts'
import type { Answer, CallOptions, TestServer } from './server.ts'

/** The origin of the tests' embeds. */
export const siteOrigin = 'https://admin.northwind.example'

/** An embed, and calls from its pages. */
export interface TestEmbed {
  user: TestUser
  embed: Embed
  /** Opens a session as the site's server does, by default with its secret key (`by`). */
  open: (changes?: Partial<NewEmbedSession>, by?: string) => Promise<Answer>
  /** The same, for its token. */
  token: (changes?: Partial<NewEmbedSession>, by?: string) => Promise<string>
  /** A call from a page of the site. */
  from: (token: string, method: string, path: string, options?: CallOptions) => Promise<Answer>
}

/** A new user with an embed of all widgets. */
export async function createTestEmbed(server: TestServer, changes: Partial<NewEmbed> = {}): Promise<TestEmbed> {
  const user = await createUser(server)
  const { body } = await server.call('POST', '/embeds', {
    token: user.token,
    body: {
      name: 'Admin',
      allowed_origins: [siteOrigin],
      widgets: ['compose', 'template-picker', 'config-manager'],
      ...changes,
    },
  })
  const embed = body as Embed
  const open = (more: Partial<NewEmbedSession> = {}, by = user.secretKey) =>
    server.call('POST', '/embed/sessions', { token: by, body: { embed_id: embed.id, origin: siteOrigin, ...more } })
  return {
    user,
    embed,
    open,
    token: async (more, by) => ((await open(more, by)).body as { session_token: string }).session_token,
    from: (token, method, path, { headers, ...options } = {}) =>
      server.call(method, path, { token, headers: { origin: siteOrigin, ...headers }, ...options }),
  }
}

/** A verifier and its challenge (RFC 7636). */
export function makePkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
