import { beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../../contract/core/errors.ts'
import { createTestEmbed, siteOrigin, type TestEmbed } from '../../../tests/support/embeds.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { type CallOptions, useServer } from '../../../tests/support/server.ts'

let one: TestEmbed
let otherUser: TestUser
const server = await useServer()
beforeAll(async () => {
  one = await createTestEmbed(server)
  otherUser = await createUser(server)
})

const call = (method: string, path: string, options: CallOptions = {}) =>
  server.call(method, path, { token: one.user.token, ...options })
const embedOf = (body: object) => call('POST', '/embeds', { body: { name: 'Site', widgets: ['compose'], ...body } })

describe('an embed', () => {
  it('is created with limits, and listed in its workspace', async () => {
    expect(one.embed).toMatchObject({
      name: 'Admin',
      allowed_origins: [siteOrigin],
      config_ids: null,
      limits: { messages_per_session: 20, recipients_per_session: 100, recipients_per_day: 1000 },
      popup_sign_in: true,
      status: 'active',
      recipients_today: 0,
    })
    expect(one.embed.id).toMatch(/^pk_[\w-]{43}$/)
    const { body, headers } = await call('GET', '/embeds')
    expect(body).toEqual([one.embed])
    expect(headers.get('x-total-count')).toBe('1')
  })

  it('is one of 500 at most', async () => {
    const full = await createUser(server)
    const add = () =>
      call('POST', '/embeds', {
        body: { name: 'Site', widgets: ['compose'], allowed_origins: [siteOrigin] },
        token: full.token,
      })
    await server.sql(
      `insert into embeds (workspace_id, id, name, allowed_origins, widgets, messages_per_session, recipients_per_session,
         recipients_per_day, popup_sign_in)
       select m.workspace_id, 'pk_' || n, 'Site', '{}', '{compose}', 1, 1, 1, true
       from members m join users u on u.id = m.user_id, generate_series(1, 499) n where u.email = $1`,
      [full.email],
    )
    expect((await add()).status).toBe(201)
    const beyond = await add()
    expect([beyond.status, beyond.body.detail]).toEqual([409, expect.stringContaining('500 embeds')])
  })

  it.each([
    ['https://Shop.Example.com:443/', 'https://shop.example.com'],
    [' https://münchen.example ', 'https://xn--mnchen-3ya.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('accepts %s, and stores it as browsers send it', async (given, kept) => {
    expect((await embedOf({ allowed_origins: [given] })).body).toMatchObject({ allowed_origins: [kept] })
  })

  it.each([
    ['shop.example.com', 'Origin 2 is no address; write it as https://www.example.com.'],
    ['http://shop.example.com', 'Origin 2 has to begin with https://; only localhost may use http://.'],
    ['https://*.example.com', 'Origin 2 holds a *; name each origin in full.'],
    ['https://example.com/admin', 'Origin 2 goes on after the host name; leave the path out'],
    ['https://user@example.com', 'Origin 2 holds a user name or password; leave it out.'],
    ['null', 'Origin 2 is no address'],
    ['file:///etc/passwd', 'Origin 2 has to begin with https://.'],
    ['javascript:alert(1)', 'Origin 2 is no address'],
  ])('rejects the origin %s, and explains the remedy', async (given, sentence) => {
    const { status, body } = await embedOf({ allowed_origins: [siteOrigin, given] })
    expect(status).toBe(422)
    expect(body.detail).toEqual([
      expect.objectContaining({
        loc: ['body', 'allowed_origins', 1],
        msg: expect.stringContaining(sentence) as string,
      }),
    ])
  })

  it('rejects a mailbox of another workspace', async () => {
    const { status, body } = await embedOf({ allowed_origins: [], config_ids: [otherUser.mailboxId] })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'config_ids', 0]])
  })

  it('is updated in part, paused and resumed', async () => {
    const changes = { name: 'Till', limits: { recipients_per_day: 5 }, config_ids: [one.user.mailboxId] }
    const { body } = await call('PATCH', `/embeds/${one.embed.id}`, { body: changes })
    expect(body).toMatchObject({
      name: 'Till',
      allowed_origins: [siteOrigin],
      config_ids: [one.user.mailboxId],
      limits: { messages_per_session: 20, recipients_per_session: 100, recipients_per_day: 5 },
    })
    const paused = await call('PATCH', `/embeds/${one.embed.id}`, { body: { status: 'paused' } })
    expect(paused.body.status).toBe('paused')
    expect((await one.open()).body.detail).toBe(errors.embed_paused.sentence)
    const back = { status: 'active', config_ids: null, limits: { recipients_per_day: 1000 }, name: 'Admin' }
    expect((await call('PATCH', `/embeds/${one.embed.id}`, { body: back })).body).toEqual(one.embed)
  })

  it('of another workspace returns 404 on every call', async () => {
    const { id } = one.embed
    const calls: [string, string, object?][] = [
      ['GET', `/embeds/${id}`],
      ['PATCH', `/embeds/${id}`, { status: 'paused' }],
      ['DELETE', `/embeds/${id}`],
      ['GET', `/embeds/${id}/sessions`],
      ['DELETE', `/embeds/${id}/sessions`],
      ['DELETE', `/embeds/${id}/sessions/${one.user.mailboxId}`],
      ['GET', `/embeds/${id}/audit`],
      ['GET', `/embed/consent?embed=${id}&origin=${siteOrigin}`],
      ['POST', '/embed/sessions', { embed_id: id, origin: siteOrigin }],
    ]
    for (const [method, path, body] of calls) {
      const answer = await call(method, path, { token: otherUser.token, ...(body && { body }) })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    expect((await call('GET', `/embeds/${id}`)).body).toEqual(one.embed)
    expect((await call('GET', '/embeds/pk_1')).status).toBe(404)
  })

  it('created twice with one Idempotency-Key is one', async () => {
    const make = () =>
      call('POST', '/embeds', {
        token: otherUser.token,
        headers: { 'idempotency-key': 'once' },
        body: { name: 'Once', allowed_origins: [], widgets: ['compose'] },
      })
    const answers = [await make(), await make()]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect((await call('GET', '/embeds', { token: otherUser.token })).body).toHaveLength(1)
  })

  it('deletes its sessions with it', async () => {
    const other = await createTestEmbed(server)
    const token = await other.token()
    expect((await server.call('DELETE', `/embeds/${other.embed.id}`, { token: other.user.token })).status).toBe(204)
    expect((await other.from(token, 'GET', '/email/configs')).status).toBe(401)
    expect((await other.open()).status).toBe(404)
  })
})

describe('the list of an embed’s sessions', () => {
  it('contains their users, and ends one or all of them', async () => {
    const { user, embed, token } = await createTestEmbed(server)
    await token({ user_ref: 'till-1' })
    await token({ user_ref: 'till-2', scopes: ['configs:read'] }, user.token)
    const as = { token: user.token }
    const listed = await server.call('GET', `/embeds/${embed.id}/sessions?status=active`, as)
    expect(listed.body).toMatchObject([
      { user_ref: 'till-2', opened_by: 'token', scopes: ['configs:read'], origin: siteOrigin, messages: 0 },
      { user_ref: 'till-1', opened_by: 'key', status: 'active', ended_at: null },
    ])
    const path = `/embeds/${embed.id}/sessions/${listed.body[0].id as string}`
    expect((await server.call('DELETE', path, as)).status).toBe(204)
    expect((await server.call('DELETE', path, as)).status).toBe(404)
    const ended = await server.call('GET', `/embeds/${embed.id}/sessions?status=ended`, as)
    expect(ended.body).toMatchObject([{ user_ref: 'till-2', status: 'ended', ended_at: expect.any(String) as string }])
    await server.call('DELETE', `/embeds/${embed.id}/sessions`, as)
    expect((await server.call('GET', `/embeds/${embed.id}/sessions?status=active`, as)).body).toEqual([])
  })
})
