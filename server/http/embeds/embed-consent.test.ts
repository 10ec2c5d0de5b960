import { beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../../contract/core/errors.ts'
import { createTestEmbed, makePkce, siteOrigin, type TestEmbed } from '../../../tests/support/embeds.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let one: TestEmbed
const server = await useServer()
beforeAll(async () => {
  one = await createTestEmbed(server)
})

const { verifier, challenge } = makePkce()

async function allow(changes: object = {}, token = one.user.token) {
  const body = {
    embed: one.embed.id,
    origin: siteOrigin,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  return server.call('POST', '/embed/consent', { token, body })
}
const codeOf = async () => ((await allow()).body as { code: string }).code
const trade = (code: string, changes: object = {}, origin = siteOrigin) =>
  server.call('POST', '/embed/token', {
    headers: { origin },
    body: { embed_id: one.embed.id, code, code_verifier: verifier, ...changes },
  })
const refused = [400, errors.embed_code_invalid.sentence]

describe('the consent of a user', () => {
  it('names the exact origin, the mailboxes, the limits and the duration', async () => {
    const path = `/embed/consent?embed=${one.embed.id}&origin=${encodeURIComponent(siteOrigin)}&scopes=configs:read%20mail:send`
    const { status, body } = await server.call('GET', path, { token: one.user.token })
    expect([status, body]).toEqual([
      200,
      {
        embed: { id: one.embed.id, name: 'Admin' },
        origin: siteOrigin,
        workspace: expect.any(String) as string,
        scopes: ['configs:read', 'mail:send'],
        mailboxes: ['sandbox@localhost'],
        limits: { messages: 20, recipients: 100 },
        minutes: 15,
      },
    ])
  })

  it('issues a code that opens a session in the page, as that user', async () => {
    const code = await codeOf()
    const { status, body, headers } = await trade(code)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe(siteOrigin)
    const token = (body as { session_token: string }).session_token
    expect((await one.from(token, 'GET', '/email/configs')).status).toBe(200)
    const sessions = await server.call('GET', `/embeds/${one.embed.id}/sessions`, { token: one.user.token })
    expect(sessions.body[0]).toMatchObject({ opened_by: 'consent', origin: siteOrigin })
  })

  it.each([
    ['an origin that is not listed', { origin: 'https://evil.example' }, 403],
    ['a scope that the embed does not give', { scopes: ['everything'] }, 422],
    ['another embed', { embed: `pk_${'x'.repeat(43)}` }, 404],
    ['a challenge in clear', { code_challenge_method: 'plain' }, 422],
  ])('is rejected for %s', async (_what, changes, status) => {
    expect((await allow(changes)).status).toBe(status)
  })

  it('is for members of the embed’s own workspace', async () => {
    const otherUser = await createUser(server)
    expect((await allow({}, otherUser.token)).status).toBe(404)
  })

  it('is rejected when the embed requires none', async () => {
    const off = await createTestEmbed(server, { popup_sign_in: false })
    const answer = await allow({ embed: off.embed.id }, off.user.token)
    expect([answer.status, answer.body.detail]).toEqual([403, errors.embed_popup_off.sentence])
  })
})

describe('H50 a code', () => {
  const summary = async (answer: ReturnType<typeof trade>) => {
    const { status, body } = await answer
    return [status, (body as { detail: string }).detail]
  }

  it('works once, also when it is exchanged twenty times concurrently', async () => {
    const code = await codeOf()
    const answers = await Promise.all(Array.from({ length: 20 }, () => trade(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await summary(trade(code))).toEqual(refused)
  })

  it.each<[string, object, string?]>([
    ['with another verifier', { code_verifier: makePkce().verifier }],
    ['for another embed', { embed_id: `pk_${'x'.repeat(43)}` }],
    ['from another origin', {}, 'https://evil.example'],
  ])('is rejected %s, and is used up by the attempt', async (_what, changes, origin) => {
    const code = await codeOf()
    expect(await summary(trade(code, changes, origin))).toEqual(refused)
    expect(await summary(trade(code))).toEqual(refused)
  })

  it('expires after a minute', async () => {
    const code = await codeOf()
    const [row] = await server.sql<{ seconds: number }>(
      'select extract(epoch from max(expires_at) - now())::float8 as seconds from embed_codes',
    )
    expect(row?.seconds).toBeGreaterThan(50)
    expect(row?.seconds).toBeLessThanOrEqual(60)
    await server.sql('update embed_codes set expires_at = now()')
    expect(await summary(trade(code))).toEqual(refused)
  })

  it('is revoked with the user’s password, and with the embed’s origin', async () => {
    const code = await codeOf()
    await server.sql("update users set password_hash = password_hash || '.' where email = $1", [one.user.email])
    expect(await summary(trade(code))).toEqual(refused)
    const later = await codeOf()
    const path = `/embeds/${one.embed.id}`
    await server.call('PATCH', path, { token: one.user.token, body: { allowed_origins: ['https://new.example'] } })
    expect(await summary(trade(later))).toEqual(refused)
  })
})
