import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors, type ErrorCode } from '../../contract/core/errors.ts'
import type { Operation } from '../../contract/core/operation.ts'
import { operations } from '../../contract/core/operations.ts'
import { embedScopePermissions, embedScopes, type EmbedScope } from '../../contract/embed/embed-scopes.ts'
import { createTestEmbed, siteOrigin, type TestEmbed } from '../support/embeds.ts'
import { makeHostedKey } from '../support/hosted.ts'
import { createUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let site: TestEmbed
/** Secret keys by their mailbox: that of the embed's user, another one of the workspace, and one of another workspace. */
let keys: Record<'own' | 'ofOtherMailbox' | 'ofOtherWorkspace', string>

beforeAll(async () => {
  sink = await startSmtpSink()
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  site = await createTestEmbed(server)
  const { body: other } = await server.call('POST', '/email/config', {
    token: site.user.token,
    body: {
      email_address: 'other@northwind.example',
      provider: 'other',
      app_password: 'x',
      smtp_host: '127.0.0.1',
      smtp_port: sink.port,
      smtp_security: 'none',
    },
  })
  keys = {
    own: site.user.secretKey,
    ofOtherMailbox: (other as { secret_key: string }).secret_key,
    ofOtherWorkspace: (await createUser(server)).secretKey,
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

interface TestCaller {
  name: string
  kind: 'none' | 'member' | 'secret_key' | 'embed' | 'embed_visitor' | 'hosted'
  scope?: EmbedScope
  key?: keyof typeof keys
  /** Bearer token and headers of its calls. */
  sign: () => Promise<{ token?: string; headers?: Record<string, string> }>
}

const headers = { origin: siteOrigin }
const callers: TestCaller[] = [
  { name: 'nobody', kind: 'none', sign: () => Promise.resolve({}) },
  ...(['own', 'ofOtherMailbox', 'ofOtherWorkspace'] as const).map((key) => ({
    name: {
      own: 'a secret key',
      ofOtherMailbox: 'a key of another mailbox',
      ofOtherWorkspace: 'a key of another workspace',
    }[key],
    kind: 'secret_key' as const,
    key,
    sign: () => Promise.resolve({ token: keys[key] }),
  })),
  ...embedScopes.map((scope) => ({
    name: `an embed session with ${scope}`,
    kind: 'embed' as const,
    scope,
    sign: async () => ({ token: await site.token({ scopes: [scope] }, site.user.token), headers }),
  })),
  { name: 'the id of an embed', kind: 'embed_visitor', sign: () => Promise.resolve({ token: site.embed.id, headers }) },
  {
    name: 'a key of the hosted data backend',
    kind: 'hosted',
    sign: async () => ({ headers: { 'x-api-key': (await makeHostedKey(server, 'write')).key } }),
  },
  { name: 'a member', kind: 'member', sign: () => Promise.resolve({ token: site.user.token }) },
]

/** The callers that access and permission of the contract allow. */
function isAllowed({ access, permission, embed }: Operation, { kind, scope }: TestCaller): boolean {
  switch (access) {
    case 'public':
    case 'loopback':
      return true
    case 'account':
      return kind === 'member'
    case 'member':
      if (kind === 'embed_visitor') return embed?.byId === true && permission === 'templates:read'
      if (scope !== undefined) return embed?.scope === scope && embedScopePermissions[scope].includes(permission!)
      return kind === 'member'
    case 'key':
      return kind === 'secret_key'
    case 'opener':
      return kind === 'secret_key' || kind === 'member'
    case 'hosted':
      return kind === 'hosted'
    case 'hosted-user':
      return false
  }
}

const refusals: ErrorCode[] = [
  'not_signed_in',
  'api_key_refused',
  'browser_with_secret_key',
  'embed_session_in_browser',
  'token_in_foreign_page',
  'embed_forbidden',
]

function isRefused({ access }: Operation, detail: unknown): boolean {
  if (typeof detail !== 'string') return false
  if (access === 'key' && detail === errors.config_not_found.sentence) return true
  const isOfScope = detail.startsWith('This embed session does not have the scope')
  return (
    isOfScope || detail.includes('needs the permission') || refusals.some((code) => errors[code].sentence === detail)
  )
}

describe('every operation', () => {
  it.each([
    ['own', [200, 201]],
    ['ofOtherMailbox', [404, 403]],
    ['ofOtherWorkspace', [404, 404]],
  ] as const)('allows a secret key the objects of its own mailbox only: %s', async (key, [message, session]) => {
    const { body: sent } = await server.call('POST', `/api/send-mail/${keys.own}`, {
      body: { recipient_list: ['a@example.com'], subject: 'Hello', content: 'Good morning.' },
    })
    const { id } = sent as { id: string }
    const patched = await server.call('PATCH', `/embeds/${site.embed.id}`, {
      token: site.user.token,
      body: { config_ids: [site.user.mailboxId] },
    })
    expect(patched.status).toBe(200)
    expect((await server.call('GET', `/api/messages/${id}`, { token: keys[key] })).status).toBe(message)
    expect((await site.open({}, keys[key])).status).toBe(session)
  })

  it.each(callers)('allows and refuses $name according to its access and permission', async (caller) => {
    const signed = await caller.sign()
    const called = operations.filter(({ caller: by }) => by !== 'page')
    // The session ends with the last of them.
    const ordered = called.toSorted((a, b) => Number(a.name === 'signOut') - Number(b.name === 'signOut'))
    const found: Record<string, boolean> = {}
    for (const operation of ordered) {
      const key = caller.key === undefined ? 'none' : keys[caller.key]
      const path = operation.path.replace('{secret_key}', key).replaceAll(/\{\w+\}/g, 'none')
      const hasBody = operation.body !== undefined
      const { body } = await server.call(operation.method, path, {
        ...signed,
        ...(hasBody && { body: {} }),
        isHeadOnly: true,
      })
      found[operation.name] = !isRefused(operation, (body as { detail?: unknown } | null)?.detail)
    }
    expect(found).toEqual(Object.fromEntries(called.map((operation) => [operation.name, isAllowed(operation, caller)])))
  })

  it('that accepts a scope requires a permission that the scope grants', () => {
    const wrong = operations.filter(
      ({ embed, permission }) =>
        embed?.scope !== undefined && (permission === null || !embedScopePermissions[embed.scope].includes(permission)),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})
