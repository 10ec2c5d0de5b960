import { describe, expect, it } from 'vitest'
import { CookieJar } from '../../../tests/support/cookie-jar.ts'
import { startTestServer, useServer } from '../../../tests/support/server.ts'

const server = await useServer()

/** From our start to the page of the stand-in. */
async function toPage(jar: CookieJar): Promise<URL> {
  const start = await jar.fetch(`${server.url}/auth/login-google`)
  return new URL(start.headers.get('location') ?? '')
}

/** The URL that the page's form opens. */
function submitted(page: URL, fields: Record<string, string>): string {
  const query = new URLSearchParams(page.search)
  for (const [name, value] of Object.entries(fields)) query.set(name, value)
  return `${server.url}/sandbox/google/continue?${query.toString()}`
}
const isLogin = (url: URL) => url.pathname === '/login'
const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'North' }
const notSetUp = 'Google sign-in is not set up on this server. Sign in with your email and password.'

describe('the sandbox issuer in place of Google', () => {
  it('creates a confirmed account at the first sign-in, and finds it again at the second', async () => {
    for (const expected of [1, 1]) {
      const jar = new CookieJar()
      const { searchParams } = await jar.follow(submitted(await toPage(jar), ada), isLogin)
      const traded = await jar.fetch(`${server.url}/auth/exchange`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: searchParams.get('token') }),
      })
      expect(await traded.json()).toMatchObject({ confirmed_email: true })
      const rows = await server.sql('select first_name, last_name from users where email = $1', [ada.email])
      expect(rows).toEqual(Array(expected).fill({ first_name: 'Ada', last_name: 'North' }))
    }
  })

  it('a code works once, and a cancelled sign-in shows an error', async () => {
    const jar = new CookieJar()
    const page = await toPage(jar)
    const isCallback = (url: URL) => url.pathname.endsWith('/callback')
    const callback = await jar.follow(submitted(page, ada), isCallback)
    const other = new CookieJar()
    const otherPage = await toPage(other)
    const stolen = new URL(callback)
    stolen.searchParams.set('state', otherPage.searchParams.get('state') ?? '')
    const refused = await other.follow(stolen.href, isLogin)
    expect(refused.searchParams.get('error')).toBe('Google sign-in did not work, or took too long. Try again.')
    // The failed exchange used it up.
    expect((await jar.follow(callback.href, isLogin)).searchParams.has('error')).toBe(true)

    const cancelled = await other.follow(submitted(await toPage(other), { act: 'cancel' }), isLogin)
    expect(Object.fromEntries(cancelled.searchParams)).toEqual({ error: 'Google sign-in was cancelled.' })
  })

  it('asks again for an invalid address, and shows it as text', async () => {
    const jar = new CookieJar()
    const answer = await jar.fetch(submitted(await toPage(jar), { email: '"><script>alert(1)</script>' }))
    expect(answer.status).toBe(422)
    const text = await answer.text()
    expect(text).toContain('Write one address')
    expect(text).not.toContain('<script')
  })

  it('redirects to this server only, and rejects any other client', async () => {
    const page = await toPage(new CookieJar())
    for (const [name, value] of [
      ['redirect_uri', 'https://evil.example/'],
      ['client_id', 'somebody-else'],
      ['code_challenge', ''],
    ] as const) {
      const changed = new URL(page)
      changed.searchParams.set(name, value)
      expect((await fetch(changed)).status, name).toBe(404)
      expect((await fetch(submitted(changed, ada), { redirect: 'manual' })).status, name).toBe(404)
    }
  })

  it('is available on this machine only: through a proxy it redirects to /login with an error', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const start = await server.call('GET', '/auth/login-google', { headers })
    expect(new URL(start.headers.get('location') ?? '').searchParams.get('error')).toBe(notSetUp)
    const page = await toPage(new CookieJar())
    expect((await fetch(page, { headers })).status).toBe(404)
    expect((await fetch(page)).status).toBe(200)
  })

  it('does not exist when the sandbox is off', async () => {
    await using plain = await startTestServer({ SANDBOX: 'off' })
    expect((await plain.call('GET', `/sandbox/google/authorize`)).status).toBe(404)
    const start = await plain.call('GET', '/auth/login-google')
    expect(new URL(start.headers.get('location') ?? '').searchParams.get('error')).toBe(notSetUp)
  })
})
