import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CookieJar } from '../../../tests/support/cookie-jar.ts'
import { startOpenIdProvider, type OpenIdUser, type OpenIdProvider } from '../../../tests/support/openid-provider.ts'
import { signUpUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'

let provider: OpenIdProvider
let server: TestServer
beforeAll(async () => {
  provider = await startOpenIdProvider(person('ada'))
  server = await startTestServer(provider.environment)
  provider.admit(`${server.url}/auth/login-google/callback`)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

function person(name: string, changes: Partial<OpenIdUser> = {}): OpenIdUser {
  return {
    sub: `google-${name}`,
    email: `${name}@gmail.example`,
    email_verified: true,
    given_name: 'Ada',
    family_name: 'North',
    ...changes,
  }
}

const isChoice = (url: URL) => url.pathname.startsWith('/interaction/')
const isCallback = (url: URL) => url.pathname === '/auth/login-google/callback'
const isLogin = (url: URL) => url.pathname === '/login'

/** Runs the flow from our start to the provider's redirect, which is not opened yet. `change` alters the provider's URL. */
async function walkToCallback(jar: CookieJar, change: (url: URL) => void = () => undefined, choice = 'continue') {
  const start = await jar.fetch(`${server.url}/auth/login-google`)
  expect(start.status).toBe(302)
  const authorize = new URL(start.headers.get('location')!)
  change(authorize)
  const requested = await jar.follow(authorize.href, (url) => isChoice(url) || isCallback(url))
  const callback = isCallback(requested) ? requested : await jar.follow(`${requested.href}/${choice}`, isCallback)
  expect(callback.searchParams.has(choice === 'cancel' ? 'error' : 'code')).toBe(true)
  return callback
}
const finish = async (jar: CookieJar, callback: URL) => (await jar.follow(callback.href, isLogin)).searchParams
const walk = async (jar = new CookieJar(), choice = 'continue') =>
  finish(jar, await walkToCallback(jar, undefined, choice))

async function exchange(jar: CookieJar, token: string | null) {
  const response = await jar.fetch(`${server.url}/auth/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return {
    status: response.status,
    body: (await response.json()) as { access_token: string; confirmed_email: boolean; detail?: string },
  }
}
async function signIn(who: OpenIdUser, jar = new CookieJar()): Promise<string> {
  provider.person = who
  return (await exchange(jar, (await walk(jar)).get('token'))).body.access_token
}
const logIn = async (jar: CookieJar, email: string, password: string) =>
  (
    await jar.fetch(`${server.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
  ).status
const userOf = async (token: string) => (await server.call('GET', '/auth/user', { token })).body
const sessionCount = async () => (await server.sql('select id from sessions')).length

describe('the redirect to Google', () => {
  it('requests a code with PKCE, state and nonce, and no request parameter affects the redirect URL', async () => {
    const answer = await server.call('GET', '/auth/login-google?redirect=https://evil.example', {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(answer.status).toBe(302)
    const url = new URL(answer.headers.get('location')!)
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${server.url}/auth/login-google/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(url.searchParams.get(name)!.length).toBeGreaterThanOrEqual(43)
    }
    expect(answer.headers.get('set-cookie')).toMatch(/^sw_google=.*; HttpOnly; SameSite=Lax$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('redirects to /login with an error while Google is unreachable, and works afterwards', async () => {
    await using other = await startOpenIdProvider(person('later'))
    await using remote = await startTestServer(other.environment)
    other.isUp = false
    const refused = await remote.call('GET', '/auth/login-google')
    expect(new URL(refused.headers.get('location')!).searchParams.get('error')).toBe(
      'Google could not be reached. Try again in a moment.',
    )
    other.isUp = true
    other.admit(`${remote.url}/auth/login-google/callback`)
    const led = await remote.call('GET', '/auth/login-google')
    expect(new URL(led.headers.get('location')!).origin).toBe(other.issuer)
  })
})

describe('the callback from Google', () => {
  it('GOOGLE-04 redirects to /login with a token that signs in, and creates a confirmed account', async () => {
    provider.person = person('new', { email: 'New.Person@Gmail.example' })
    const jar = new CookieJar()
    const query = await walk(jar)
    expect([...query.keys()]).toEqual(['token'])
    const { status, body } = await exchange(jar, query.get('token'))
    expect(status).toBe(200)
    expect(body.confirmed_email).toBe(true)
    expect(await userOf(body.access_token)).toMatchObject({
      email: 'new.person@gmail.example',
      first_name: 'Ada',
      last_name: 'North',
      confirmed_email: true,
      workspace: { name: 'Ada North', role: 'owner' },
    })
  })

  it('identifies a user by the constant `sub`, after any change of address', async () => {
    const first = await userOf(await signIn(person('moving')))
    const again = await userOf(await signIn(person('moving', { email: 'moved@gmail.example' })))
    expect(again.id).toBe(first.id)
    expect(again.email).toBe('moving@gmail.example')
  })

  it('GOOGLE-05 redirects to /login with an error and no token when the user cancels', async () => {
    provider.person = person('cancelling')
    const query = await walk(new CookieJar(), 'cancel')
    expect(Object.fromEntries(query)).toEqual({ error: 'Google sign-in was cancelled.' })
  })

  it('GOOGLE-05 shows an error when Google sign-in is not configured', async () => {
    await using plain = await startTestServer({ SANDBOX: 'off' })
    const answer = await plain.call('GET', '/auth/login-google')
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(
      `${plain.url}/login?${new URLSearchParams({ error: 'Google sign-in is not set up on this server. Sign in with your email and password.' }).toString()}`,
    )
  })

  it('creates one account for two concurrent tabs', async () => {
    provider.person = person('twice')
    const jars = [new CookieJar(), new CookieJar()]
    const callbacks = await Promise.all(jars.map((jar) => walkToCallback(jar)))
    const queries = await Promise.all(jars.map((jar, at) => finish(jar, callbacks[at]!)))
    // The later code replaces the earlier one: at least one tab is signed in.
    const answers = await Promise.all(jars.map((jar, at) => exchange(jar, queries[at]!.get('token'))))
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await server.sql("select id from users where email = 'twice@gmail.example'")).toHaveLength(1)
  })
})

describe('H14 the callback', () => {
  const refused = 'Google sign-in did not work, or took too long. Try again.'
  const tamper: Record<string, (jar: CookieJar) => Promise<URLSearchParams>> = {
    'H14 without its cookie': async (jar) => finish(new CookieJar(), await walkToCallback(jar)),
    'H14 without state': async (jar) => {
      const callback = await walkToCallback(jar)
      callback.searchParams.delete('state')
      return finish(jar, callback)
    },
    'H14 with another state': async (jar) => {
      const callback = await walkToCallback(jar)
      callback.searchParams.set('state', 'A'.repeat(43))
      return finish(jar, callback)
    },
    'H14 with another try’s cookie': async (jar) => {
      const other = await walkToCallback(new CookieJar())
      await jar.fetch(`${server.url}/auth/login-google`)
      return finish(jar, other)
    },
    'H14 with the wrong nonce': async (jar) =>
      finish(jar, await walkToCallback(jar, (url) => url.searchParams.set('nonce', 'N'.repeat(43)))),
    'H14 with another PKCE challenge': async (jar) =>
      finish(jar, await walkToCallback(jar, (url) => url.searchParams.set('code_challenge', 'C'.repeat(43)))),
    'H14 with a code for another client': async (jar) =>
      finish(jar, await walkToCallback(jar, (url) => url.searchParams.set('client_id', provider.otherClientId))),
    'H14 with another issuer': async (jar) => {
      const callback = await walkToCallback(jar)
      callback.searchParams.set('iss', 'https://evil.example')
      return finish(jar, callback)
    },
    'H14 with a made-up code': async (jar) => {
      const callback = await walkToCallback(jar)
      callback.searchParams.set('code', 'made-up')
      return finish(jar, callback)
    },
    'H14 with no query at all': (jar) => finish(jar, new URL(`${server.url}/auth/login-google/callback`)),
  }
  it.each(Object.entries(tamper))(
    '%s redirects to /login with an error, and no user is signed in',
    async (_title, act) => {
      provider.person = person('tampered')
      const before = await sessionCount()
      const jar = new CookieJar()
      expect(Object.fromEntries(await act(jar))).toEqual({ error: refused })
      expect(await sessionCount()).toBe(before)
      expect((await exchange(jar, `sc_${'A'.repeat(43)}`)).status).toBe(400)
      expect(await server.sql("select id from users where email = 'tampered@gmail.example'")).toEqual([])
    },
  )

  it('H14 replayed, with its cookies kept, returns no second code', async () => {
    provider.person = person('replayed')
    const start = await server.call('GET', '/auth/login-google')
    const cookie = start.headers.get('set-cookie')!.split(';')[0]!
    const jar = new CookieJar()
    const requested = await jar.follow(start.headers.get('location')!, isChoice)
    const callback = await jar.follow(`${requested.href}/continue`, isCallback)
    const open = () => server.call('GET', callback.pathname + callback.search, { headers: { cookie } })
    expect((await open()).headers.get('location')).toContain('/login?token=sc_')
    expect((await open()).headers.get('location')).toBe(
      `${server.url}/login?${new URLSearchParams({ error: refused }).toString()}`,
    )
  })

  it.each([
    ['unverified', { email_verified: false }],
    ['no address', { email: '' }],
  ])('H14 with an address that is %s creates no account', async (_what, changes) => {
    provider.person = person('unverified', changes)
    const query = await walk()
    expect(query.get('error')).toMatch(/^Google has not verified your email address/)
    expect(await server.sql("select id from users where email = 'unverified@gmail.example'")).toEqual([])
  })

  it('H14 redirects to our own /login, for any redirect parameter', async () => {
    provider.person = person('redirected')
    const jar = new CookieJar()
    const callback = await walkToCallback(jar)
    callback.searchParams.set('redirect', 'https://evil.example')
    const response = await jar.fetch(callback.href, { headers: { 'x-forwarded-host': 'evil.example' } })
    expect(response.headers.get('location')).toMatch(new RegExp(`^${server.url}/login\\?token=sc_[\\w-]{43}$`))
  })
})

describe('H13 the one-time token of /login', () => {
  it('H13 is rejected in another browser, and at a second use', async () => {
    provider.person = person('one-time')
    const jar = new CookieJar()
    const token = (await walk(jar)).get('token')
    expect(await exchange(new CookieJar(), token)).toMatchObject({
      status: 400,
      body: { detail: 'This sign-in has expired. Sign in again.' },
    })
    const victim = new CookieJar()
    await walk(victim)
    expect((await exchange(victim, token)).status).toBe(400)
    // A newer sign-in of the user has replaced the code.
    expect((await exchange(jar, token)).status).toBe(400)
    const own = (await walk(jar)).get('token')
    expect((await exchange(jar, own)).status).toBe(200)
    expect((await exchange(jar, own)).status).toBe(400)
  })

  it('H13 expires after a minute', async () => {
    provider.person = person('slow')
    const jar = new CookieJar()
    const token = (await walk(jar)).get('token')
    const [row] = await server.sql<{ seconds: number }>(
      `select extract(epoch from max(expires_at) - now())::float8 as seconds from account_tokens where purpose = 'sign_in'`,
    )
    expect(row?.seconds).toBeGreaterThan(50)
    expect(row?.seconds).toBeLessThanOrEqual(60)
    await server.sql("update account_tokens set expires_at = now() where purpose = 'sign_in'")
    expect((await exchange(jar, token)).status).toBe(400)
  })

  it("its code and the browser's secret are not stored in plaintext", async () => {
    provider.person = person('hashed')
    const token = (await walk()).get('token')!
    const rows = await server.sql<{ text: string }>('select account_tokens::text as text from account_tokens')
    expect(rows.map(({ text }) => text).join()).not.toContain(token.slice(3))
    expect(server.logged()).not.toContain(token)
  })
})

describe('an existing account', () => {
  it('is linked after its password was entered, and signs in with Google from then on', async () => {
    const user = await signUpUser(server)
    provider.person = person('linking', { email: user.email })
    const jar = new CookieJar()
    expect((await walk(jar)).get('error')).toBe(
      'This address has an account. Sign in with its password once; after that, Google works too.',
    )
    expect(await logIn(jar, user.email, 'wrong horse')).toBe(401)
    expect((await walk(new CookieJar())).get('token')).toBeNull()
    expect(await logIn(jar, user.email, user.password)).toBe(200)
    expect((await userOf(await signIn(provider.person))).email).toBe(user.email)
  })

  it('is not linked with another user’s password', async () => {
    const [owner, other] = [await signUpUser(server), await signUpUser(server)]
    provider.person = person('stranger', { email: owner.email })
    const jar = new CookieJar()
    await walk(jar)
    expect(await logIn(jar, other.email, other.password)).toBe(200)
    expect((await walk(jar)).get('token')).toBeNull()
  })

  it('H15 loses all changes from before its confirmation', async () => {
    const email = 'victim@gmail.example'
    const body = { first_name: 'Mallory', last_name: 'X', email, password: 'attacker1' }
    await server.call('POST', '/auth/', { body })
    const attacker = (await server.call('POST', '/auth/login', { body })).body.access_token as string
    const [before] = await server.sql<{ id: string; workspace: string }>(
      'select users.id, workspace_id as workspace from users join members on user_id = users.id where email = $1',
      [email],
    )
    await server.sql(
      "insert into email_configs (id, workspace_id, email_address, provider) values (gen_random_uuid(), $1, 'x@example.com', 'other')",
      [before!.workspace],
    )
    await server.sql(
      `insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
       select gen_random_uuid(), workspace_id, id, 'x@example.com', '', '', false, '{}' from email_configs where workspace_id = $1`,
      [before!.workspace],
    )

    const user = await userOf(await signIn(person('victim')))
    expect(user).toMatchObject({ email, first_name: 'Ada', confirmed_email: true })
    expect(user.id).not.toBe(before!.id)
    expect((await server.call('GET', '/auth/user', { token: attacker })).status).toBe(401)
    expect((await server.call('POST', '/auth/login', { body })).status).toBe(401)
    const left = await server.sql(
      'select id from workspaces where id = $1 union all select id from email_configs where workspace_id = $1 union all select id from messages where workspace_id = $1',
      [before!.workspace],
    )
    expect(left).toEqual([])
  })
})
