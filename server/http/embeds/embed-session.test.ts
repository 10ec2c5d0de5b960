import { beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../../contract/core/errors.ts'
import { operations } from '../../../contract/core/operations.ts'
import { createTestEmbed, siteOrigin, type TestEmbed } from '../../../tests/support/embeds.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let one: TestEmbed
const server = await useServer()
beforeAll(async () => {
  one = await createTestEmbed(server)
})

const corsOf = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')
const configsOf = async (token: string, by = one) =>
  (await by.from(token, 'GET', '/email/configs')).body as { id: string; secret_key: string }[]

describe('opening a session', () => {
  it('returns a token and its expiry to a server with a secret key, for 15 minutes', async () => {
    const { status, body, headers } = await one.open()
    expect(status).toBe(201)
    expect(body.session_token).toMatch(/^es_[\w-]{43}$/)
    expect(Math.round((Date.parse(body.expires_at as string) - Date.now()) / 60_000)).toBe(15)
    expect(body.scopes).not.toContain('configs:write')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('lasts at most an hour', async () => {
    expect((await one.open({ expires_in: 3600 })).status).toBe(201)
    const { status, body } = await one.open({ expires_in: 3601 })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'expires_in']])
  })

  it('has access to the usage of its own mailboxes only', async () => {
    const site = await createTestEmbed(server, { config_ids: [] })
    const usageOf = async (by: TestEmbed) => {
      const { body, headers } = await by.from(await by.token({}, by.user.token), 'GET', '/email/configs/usage')
      return { ids: (body as { id: string }[]).map(({ id }) => id), total: headers.get('x-total-count') }
    }
    expect(await usageOf(one)).toEqual({ ids: [one.user.mailboxId], total: '1' })
    expect(await usageOf(site)).toEqual({ ids: [], total: '0' })
  })

  it('does not store the token: only its hash is in the database', async () => {
    const token = await one.token()
    const rows = await server.sql<{ row: string }>('select embed_sessions::text as row from embed_sessions')
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(token.slice(3))
  })

  it.each([
    ['an origin', { origin: siteOrigin }],
    ['a mark of a browser', { 'sec-fetch-site': 'cross-site' }],
  ])('is rejected for a browser: a request with %s', async (_what, headers) => {
    const request = (token: string) =>
      server.call('POST', '/embed/sessions', { token, headers, body: { embed_id: one.embed.id, origin: siteOrigin } })
    const [byKey, byToken] = [await request(one.user.secretKey), await request(one.user.token)]
    expect([byKey.status, byKey.body.detail]).toEqual([403, errors.browser_with_secret_key.sentence])
    expect([byToken.status, byToken.body.detail]).toEqual([403, errors.embed_session_in_browser.sentence])
    expect([corsOf(byKey), corsOf(byToken)]).toEqual([null, null])
  })

  it('is granted to the dashboard’s own page with an access token, for its own origin', async () => {
    const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' }
    const body = { embed_id: one.embed.id, origin: server.url }
    const opened = await server.call('POST', '/embed/sessions', { token: one.user.token, headers, body })
    expect(opened.status).toBe(201)
    const token = (opened.body as { session_token: string }).session_token
    const read = { token, headers: { 'sec-fetch-site': 'same-origin' } }
    expect((await server.call('GET', '/email/configs', read)).status).toBe(200)
    expect((await one.from(token, 'GET', '/email/configs')).status).toBe(403)
    const byKey = await server.call('POST', '/embed/sessions', { token: one.user.secretKey, headers, body })
    expect(byKey.status).toBe(403)
  })

  it('with a secret key grants its own mailbox only, and never configs:write', async () => {
    const two = await createTestEmbed(server, { config_ids: null })
    await server.sql(
      `insert into email_configs (id, workspace_id, email_address, provider)
       select gen_random_uuid(), workspace_id, 'second@localhost', 'other' from email_configs where id = $1`,
      [two.user.mailboxId],
    )
    expect(await configsOf(await two.token(), two)).toHaveLength(1)
    expect(await configsOf(await two.token({}, two.user.token), two)).toHaveLength(2)
    const refused = await two.open({ scopes: ['configs:write'] })
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'A secret key cannot give configs:write. Open the session with an access token.',
    ])
    const limited = await createTestEmbed(server, { config_ids: [] })
    expect((await limited.open()).status).toBe(403)
  })

  it('grants no scope that the embed’s widgets do not need', async () => {
    const picker = await createTestEmbed(server, { widgets: ['template-picker'] })
    expect((await picker.open({ scopes: ['mail:send'] })).status).toBe(403)
    expect((await picker.open()).body.scopes).toEqual(['templates:read', 'templates:write'])
  })
})

describe('an embed session', () => {
  it.each([
    ['an origin that is not listed', 'https://evil.example'],
    ['null', 'null'],
    ['a name that begins alike', `${siteOrigin}.evil.com`],
    ['plain http', siteOrigin.replace('https', 'http')],
    ['another port', `${siteOrigin}:8443`],
    ['a subdomain', siteOrigin.replace('//', '//a.')],
  ])('H51 from %s is rejected, and the response is hidden from the page', async (_what, origin) => {
    const token = await one.token()
    const answer = await server.call('GET', '/email/configs', { token, headers: { origin } })
    expect([answer.status, answer.body.detail]).toEqual([403, errors.embed_origin_refused.sentence])
    expect(corsOf(answer)).toBeNull()
    const preflight = await server.call('OPTIONS', '/email/configs', {
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect([preflight.status, corsOf(preflight)]).toEqual([403, null])
    expect((await one.open({ origin })).status).toBe(403)
  })

  it('H51 from another embed’s origin passes the preflight, and is rejected without the CORS header', async () => {
    const other = await createTestEmbed(server, { allowed_origins: ['https://other.example'] })
    const origin = 'https://other.example'
    const headers = { origin, 'access-control-request-method': 'GET' }
    expect(corsOf(await server.call('OPTIONS', '/email/configs', { headers }))).toBe(origin)
    const answer = await server.call('GET', '/email/configs', { token: await one.token(), headers: { origin } })
    expect([answer.status, corsOf(answer)]).toEqual([403, null])
    expect(other.embed.allowed_origins).toEqual([origin])
  })

  it('H51 without an origin is rejected: pages of other sites always send theirs', async () => {
    expect((await server.call('GET', '/email/configs', { token: await one.token() })).status).toBe(403)
  })

  it('has responses readable by its own page: origin, exposed headers, no credentials, Vary', async () => {
    const answer = await one.from(await one.token(), 'GET', '/email/configs')
    expect([answer.status, corsOf(answer)]).toEqual([200, siteOrigin])
    expect(answer.headers.get('vary')).toBe('Origin')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    const ended = await one.from(`es_${'x'.repeat(43)}`, 'GET', '/email/configs')
    expect([ended.status, corsOf(ended)]).toEqual([401, siteOrigin])
  })

  it('H52 with templates:read cannot send', async () => {
    const token = await one.token({ scopes: ['templates:read'] })
    const body = { recipient_list: ['a@example.com'], subject: 'Hello', content: 'x' }
    const answer = await one.from(token, 'POST', `/email/send-mail/${one.user.secretKey}`, { body })
    expect([answer.status, answer.body.detail]).toEqual([403, 'This embed session does not have the scope mail:send.'])
    expect((await one.from(token, 'GET', '/email/templates')).status).toBe(200)
    expect((await one.from(token, 'GET', '/email/configs')).status).toBe(403)
    expect(await server.sql("select 1 from messages where subject = 'Hello'")).toEqual([])
  })

  it('H53 lists aliases in place of secret keys, and no user', async () => {
    const token = await one.token()
    const listed = await one.from(token, 'GET', '/email/configs')
    expect(listed.body).toMatchObject([{ id: one.user.mailboxId, secret_key: expect.stringMatching(/^eh_/) as string }])
    expect(listed.text).not.toContain('ck_')
    expect((await one.from(token, 'GET', '/auth/user')).status).toBe(403)
  })

  it('can make only the calls that allow it', async () => {
    const token = await one.token({}, one.user.token)
    const closed = operations.filter(
      ({ access, embed }) => (access === 'member' || access === 'account') && embed?.scope === undefined,
    )
    expect(closed.length).toBeGreaterThan(20)
    for (const { method, path } of closed) {
      const answer = await one.from(token, method, path.replaceAll(/\{\w+\}/g, one.user.mailboxId))
      expect([method, path, answer.status, corsOf(answer)]).toEqual([method, path, 403, null])
    }
    for (const path of ['/api/send-mail/', '/api/messages/']) {
      const method = path.includes('send') ? 'POST' : 'GET'
      expect((await one.from(token, method, path + token)).status).toBe(403)
    }
  })

  it('is rejected on every call after its end', async () => {
    const ended = `es_${'y'.repeat(43)}`
    for (const { method, path, access } of operations) {
      if (access !== 'member' && access !== 'account') continue
      const answer = await one.from(ended, method, path.replaceAll(/\{\w+\}/g, one.user.mailboxId))
      expect([method, path, answer.status]).toEqual([method, path, 401])
    }
  })
})

describe('calls from third-party pages', () => {
  it.each(['/auth/user', '/auth/login', '/embeds', '/api/send-mail/x', '/embed/sessions', '/email/campaigns'])(
    'have no CORS access to %s',
    async (path) => {
      const headers = { origin: siteOrigin, 'access-control-request-method': 'POST' }
      expect(corsOf(await server.call('OPTIONS', path, { headers }))).toBeNull()
    },
  )

  it('are rejected with a user’s own access token', async () => {
    const answer = await one.from(one.user.token, 'GET', '/email/configs')
    expect([answer.status, answer.body.detail, corsOf(answer)]).toEqual([
      403,
      errors.token_in_foreign_page.sentence,
      null,
    ])
  })

  it('H39 are rejected with a secret key, with a message that names embed sessions', async () => {
    const answer = await server.call('POST', `/api/send-mail/${one.user.secretKey}`, {
      headers: { origin: siteOrigin },
      body: { recipient_list: ['a@example.com'], subject: 'x', content: 'x' },
    })
    expect([answer.status, corsOf(answer)]).toEqual([403, null])
    expect(answer.body.detail).toContain('embed session')
    expect(server.logged()).not.toContain(one.user.secretKey)
  })

  it('can read the public settings of an embed', async () => {
    const path = `/embed/config?embed=${one.embed.id}`
    const { body } = await server.call('GET', path, { headers: { origin: siteOrigin } })
    expect(body).toEqual({ id: one.embed.id, widgets: one.embed.widgets, popup_sign_in: true })
    expect((await server.call('GET', path)).status).toBe(403)
  })

  it('can read the reason of a rejection, from any origin', async () => {
    const other = await createTestEmbed(server)
    const request = async (id: string, origin: string) => {
      const answer = await server.call('GET', `/embed/config?embed=${id}`, { headers: { origin } })
      return [answer.status, corsOf(answer), (answer.body as { detail?: string }).detail]
    }
    const elsewhere = 'https://evil.example'
    const { embed, user } = other
    expect(await request(embed.id, elsewhere)).toEqual([403, elsewhere, errors.embed_origin_refused.sentence])
    expect(await request('pk_none', elsewhere)).toEqual([404, elsewhere, errors.embed_not_found.sentence])
    const token = await other.token()
    await server.call('PATCH', `/embeds/${embed.id}`, { token: user.token, body: { status: 'paused' } })
    expect(await request(embed.id, elsewhere)).toEqual([403, elsewhere, errors.embed_origin_refused.sentence])
    expect(await request(embed.id, siteOrigin)).toEqual([409, siteOrigin, errors.embed_paused.sentence])
    // The responses to its sessions are readable too.
    const refused = await other.from(token, 'GET', '/email/configs')
    expect([refused.status, corsOf(refused)]).toEqual([401, siteOrigin])
  })
})

describe('the id of an embed alone', () => {
  it('allows public and global templates, and nothing else', async () => {
    const { token } = one.user
    const save = async (subject: string, isPublic: boolean) => {
      const body = { subject, body: '<p>x</p>', is_public: isPublic }
      return (await server.call('POST', '/email/template', { token, body })).body as { id: string }
    }
    const [shown, hidden] = [await save('Shown', true), await save('Hidden', false)]
    const listed = await one.from(one.embed.id, 'GET', '/email/templates')
    expect(listed.body).toMatchObject([{ subject: 'Shown', is_public: true }])
    expect(listed.headers.get('x-total-count')).toBe('1')
    expect((await one.from(one.embed.id, 'GET', `/email/template/${shown.id}`)).status).toBe(200)
    expect((await one.from(one.embed.id, 'GET', `/email/template/${hidden.id}`)).status).toBe(404)
    const collection = (path: string) =>
      server.call('GET', path, { headers: { origin: siteOrigin, 'x-api-key': one.embed.id } })
    const library = await collection('/collections/templates/documents')
    expect([library.status, corsOf(library)]).toEqual([200, siteOrigin])
    expect((await collection('/collections/orders/documents')).status).toBe(403)
    for (const [method, path] of [
      ['GET', '/email/configs'],
      ['POST', '/email/template'],
      ['POST', `/email/send-mail/${one.user.secretKey}`],
      ['GET', '/auth/user'],
    ] as const) {
      expect([path, (await one.from(one.embed.id, method, path)).status]).toEqual([
        path,
        path === '/auth/user' ? 401 : 403,
      ])
    }
    const elsewhere = { token: one.embed.id, headers: { origin: 'https://evil.example' } }
    expect((await server.call('GET', '/email/templates', elsewhere)).status).toBe(403)
  })

  it('cannot make a template public through a session', async () => {
    const session = await one.token({}, one.user.token)
    const body = { subject: 'Smuggled', body: '<p>x</p>', is_public: true }
    expect((await one.from(session, 'POST', '/email/template', { body })).body.is_public).toBe(false)
  })
})

describe('mailboxes through a session', () => {
  it('are added for the embed, and deleted, by alias only; others are inaccessible', async () => {
    const site = await createTestEmbed(server, { config_ids: [] })
    const token = await site.token({}, site.user.token)
    expect(await configsOf(token, site)).toEqual([])
    const taken = { email_address: 'sandbox@localhost', provider: 'other', app_password: 'any' }
    const refused = await site.from(token, 'POST', '/email/config', { body: taken })
    expect(refused.status).toBe(403)
    expect((await site.from(token, 'DELETE', `/email/configs/${site.user.mailboxId}`)).status).toBe(404)

    const otherUser = await createUser(server)
    await server.call('DELETE', `/email/configs/${site.user.mailboxId}`, { token: site.user.token })
    const added = await site.from(token, 'POST', '/email/config', { body: taken })
    expect([added.status, added.body.secret_key]).toEqual([201, expect.stringMatching(/^eh_/)])
    expect(added.text).not.toContain('ck_')
    expect(await configsOf(token, site)).toHaveLength(1)
    const path = `/email/configs/${added.body.id as string}`
    const limited = await site.from(token, 'PATCH', path, { body: { status: 'paused', limit_per_day: 1 } })
    expect([limited.status, limited.body.detail]).toEqual([403, errors.embed_forbidden.sentence])
    expect((await site.from(token, 'GET', '/email/configs/usage')).body).toMatchObject([{ own_limits: null }])
    const paused = await site.from(token, 'PATCH', path, { body: { status: 'paused' } })
    expect(paused.body).toMatchObject({ status: 'paused', secret_key: expect.stringMatching(/^eh_/) as string })
    expect(await server.sql('select 1 from email_configs where limit_per_day = 1')).toEqual([])
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = { status: 'paused' }
      const answer = await site.from(
        token,
        method,
        `/email/configs/${otherUser.mailboxId}`,
        method === 'PATCH' ? { body } : {},
      )
      expect(answer.status).toBe(404)
    }
    expect((await site.from(token, 'DELETE', `/email/configs/${added.body.id as string}`)).status).toBe(204)
    const audit = await server.call('GET', `/embeds/${site.embed.id}/audit`, { token: site.user.token })
    expect(audit.body).toMatchObject([{ act: 'config-deleted' }, { act: 'config-changed' }, { act: 'config-saved' }])
  })
})
