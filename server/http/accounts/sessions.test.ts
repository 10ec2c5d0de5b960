import { describe, expect, it } from 'vitest'
import { operations } from '../../../contract/core/operations.ts'
import { signUpUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0'
const list = (token: string, query = '') => server.call('GET', `/auth/sessions${query}`, { token })
const signIn = async ({ email, password }: TestUser, userAgent = 'curl/8.9.1') => {
  const body = { email, password }
  const answer = await server.call('POST', '/auth/login', { body, headers: { 'user-agent': userAgent } })
  return answer.body.access_token as string
}
const statusOf = async (token: string) => (await server.call('GET', '/auth/user', { token })).status

describe('the list of sessions', () => {
  it('contains device, first and last use and expiry, the current one first, and never a token', async () => {
    const user = await signUpUser(server)
    const token = await signIn(user, firefox)
    await signIn(user)
    const answer = await list(token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-total-count')).toBe('3')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((answer.body as object[]).map((one) => Object.keys(one))).toEqual(
      Array(3).fill(['id', 'device', 'created_at', 'last_used_at', 'expires_at', 'is_current']),
    )
    expect(
      (answer.body as { device: string; is_current: boolean }[]).map((one) => [one.device, one.is_current]),
    ).toEqual([
      ['Firefox on Windows', true],
      ['curl', false],
      ['Node.js', false],
    ])
    const [{ created_at: from, expires_at: until }] = answer.body as [Record<string, string>]
    expect(Date.parse(until!) - Date.parse(from!)).toBeCloseTo(30 * 86_400_000, -4)
    expect(answer.text).not.toContain('at_')
  })

  it('shows no expired one, and deletes those at the next sign-in', async () => {
    const user = await signUpUser(server)
    const old = await signIn(user)
    await server.sql(
      "update sessions set last_used_at = now() - interval '8 days' where token_hash = sha256($1::bytea)",
      [Buffer.from(old)],
    )
    expect((await list(user.token)).body).toHaveLength(1)
    await signIn(user)
    const rows = await server.sql('select id from sessions where token_hash = sha256($1::bytea)', [Buffer.from(old)])
    expect(rows).toEqual([])
  })

  it('is paged', async () => {
    const user = await signUpUser(server)
    await signIn(user)
    const answer = await list(user.token, '?limit=1&offset=1')
    expect(answer.body).toMatchObject([{ is_current: false }])
    expect(answer.headers.get('x-total-count')).toBe('2')
  })
})

describe('revoking', () => {
  it('one ends it at once, and no other', async () => {
    const user = await signUpUser(server)
    const other = await signIn(user)
    const [own, revoked] = (await list(user.token)).body as { id: string }[]
    expect((await server.call('DELETE', `/auth/sessions/${revoked!.id}`, { token: user.token })).status).toBe(204)
    expect(await statusOf(other)).toBe(401)
    expect(await statusOf(user.token)).toBe(200)
    expect((await server.call('DELETE', `/auth/sessions/${revoked!.id}`, { token: user.token })).status).toBe(404)
    expect((await server.call('DELETE', `/auth/sessions/${own!.id}`, { token: user.token })).status).toBe(204)
    expect(await statusOf(user.token)).toBe(401)
  })

  it('all others keeps the current one', async () => {
    const user = await signUpUser(server)
    const others = [await signIn(user), await signIn(user)]
    expect((await server.call('DELETE', '/auth/sessions', { token: user.token })).status).toBe(204)
    for (const token of others) expect(await statusOf(token)).toBe(401)
    expect((await list(user.token)).body).toHaveLength(1)
  })

  it('H18 another user’s session returns 404 and stays', async () => {
    const [mine, theirs] = [await signUpUser(server), await signUpUser(server)]
    const [{ id }] = (await list(theirs.token)).body as [{ id: string }]
    const answers = await Promise.all(
      [id, '00000000-0000-4000-8000-00000000dead', '1 OR 1=1', '..%2f..', '__proto__'].map((one) =>
        server.call('DELETE', `/auth/sessions/${one}`, { token: mine.token }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(404)
    expect(await statusOf(theirs.token)).toBe(200)
  })
})

describe('H17 a token of an ended session', () => {
  const guarded = operations.filter(({ access }) => access === 'account' || access === 'member')
  const paths = guarded.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
  }))

  const endings: Record<string, (user: TestUser) => Promise<unknown>> = {
    'H17 by signing out': ({ token }) => server.call('POST', '/auth/logout', { token }),
    'H17 by a new password': async ({ email }) => {
      await server.call('GET', `/auth/reset-password/${encodeURIComponent(email)}`)
      const [mail] = await server.mailsTo(email, 2)
      const token = /rp_[\w-]{43}/.exec(mail!.html ?? '')![0]
      const body = { token, new_password: 'new password' }
      expect((await server.call('POST', '/auth/update-password', { body })).status).toBe(200)
    },
    'H17 by the end of the account': ({ email }) => server.sql('delete from users where email = $1', [email]),
  }

  it.each(Object.entries(endings))('%s returns 401 on every call', async (_how, end) => {
    const user = await signUpUser(server)
    expect(await statusOf(user.token)).toBe(200)
    await end(user)
    for (const { method, path } of paths) {
      const answer = await server.call(method, path, { token: user.token, body: method === 'GET' ? undefined : {} })
      expect([method, path, answer.status]).toEqual([method, path, 401])
    }
  })
})
