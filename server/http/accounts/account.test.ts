import { describe, expect, it } from 'vitest'
import { operations } from '../../../contract/core/operations.ts'
import { signUpUser } from '../../../tests/support/accounts.ts'
import { tokenIn, useServer } from '../../../tests/support/server.ts'

const server = await useServer()

const person = (email: string) => ({
  first_name: 'Ann',
  last_name: 'Lee',
  email,
  password: 'correct horse',
  referral_source: 'Twitter',
})
const signUp = (email: string, changes: object = {}) =>
  server.call('POST', '/auth/', { body: { ...person(email), ...changes } })
const signIn = (email: string, password = 'correct horse') =>
  server.call('POST', '/auth/login', { body: { email, password } })
const countUsers = async (email: string) => (await server.sql('select id from users where email = $1', [email])).length

describe('sign-up', () => {
  it('API-ACCOUNT-04 API-ACCOUNT-05 accepts the specified fields and returns 201', async () => {
    const answer = await signUp('new@example.com', { hashed_password: 'correct horse' })
    expect(answer.status).toBe(201)
    expect(answer.body.message).toBeTypeOf('string')
    const rows = await server.sql('select email, first_name, last_name, referral_source from users where email = $1', [
      'new@example.com',
    ])
    expect(rows).toEqual([
      { email: 'new@example.com', first_name: 'Ann', last_name: 'Lee', referral_source: 'Twitter' },
    ])
  })

  it('creates a workspace whose owner is the new user', async () => {
    const { token, email } = await signUpUser(server)
    const { body } = await server.call('GET', '/auth/user', { token })
    expect(body).toMatchObject({ email, workspace: { name: 'Ann Lee', role: 'owner' } })
  })

  it('mails a confirmation link with the public address', async () => {
    await signUp('link@example.com')
    const [mail] = await server.mailsTo('link@example.com')
    expect(mail!.subject).toBe('Confirm your email address')
    expect(mail!.html).toContain(`href="${server.url}/email_confirm/cf_`)
    expect(mail!.text).toContain(`${server.url}/email_confirm/cf_`)
    expect((await server.call('GET', `/auth/confirm-email/${tokenIn(mail!)}`)).status).toBe(200)
  })

  it('H04 a known address gets the same response, no second account, and a mail that explains it', async () => {
    const first = await signUp('twice@example.com')
    const second = await signUp('TWICE@example.com', { password: 'another one' })
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(await countUsers('twice@example.com')).toBe(1)
    const mails = await server.mailsTo('twice@example.com', 2)
    expect(mails.map((mail) => mail.subject).sort()).toEqual([
      'Confirm your email address',
      'You already have an account',
    ])
    expect((await signIn('twice@example.com', 'another one')).status).toBe(401)
  })

  it('H05 ignores and discards unknown fields', async () => {
    const hostile = { hashed_password: 'canary-hash', confirmed: true, id: 'x', role: 'admin', __proto__x: 1 }
    const raw = JSON.stringify({ ...person('mass@example.com'), ...hostile }).replace('__proto__x', '__proto__')
    expect((await server.call('POST', '/auth/', { raw })).status).toBe(201)
    expect((await signIn('mass@example.com')).body.confirmed_email).toBe(false)
    const [row] = await server.sql('select users::text as text from users where email = $1', ['mass@example.com'])
    expect(row!['text']).not.toContain('canary')
    expect(server.logged()).not.toContain('canary-hash')
  })

  it('H06 a name with markup or an address does not reach the confirmation mail', async () => {
    await signUp('name@example.com', { first_name: 'Click http://evil.example now <img src=x onerror=1>' })
    const [mail] = await server.mailsTo('name@example.com')
    expect(mail!.raw).not.toMatch(/evil\.example|<img/)
    expect((await signUp('long@example.com', { first_name: 'x'.repeat(101) })).status).toBe(422)
  })

  it.each([
    ['no email', { email: undefined }, ['body', 'email'], 'missing'],
    ['an email that is a list', { email: ['a@example.com'] }, ['body', 'email'], 'string_type'],
    ['an email that is no address', { email: 'example.com' }, ['body', 'email'], 'address_no_at'],
    ['two addresses in one', { email: 'a@example.com\r\nBcc: b@example.com' }, ['body', 'email'], 'address_control'],
    ['a password under 6 characters', { password: '12345' }, ['body', 'password'], 'too_short'],
    ['a password over 1,024 bytes', { password: 'é'.repeat(600) }, ['body', 'password'], 'too_long'],
    ['H37 a name with a NUL', { first_name: 'An\0n' }, ['body', 'first_name'], 'character'],
    ['an empty name', { last_name: '' }, ['body', 'last_name'], 'too_short'],
  ])('%s returns 422 and creates no account', async (_what, changes, loc, type) => {
    const { status, body } = await signUp('refused@example.com', changes)
    expect(status).toBe(422)
    expect(body.detail).toEqual([{ loc, msg: expect.stringMatching(/^\w+ .+/) as string, type }])
    expect(await countUsers('refused@example.com')).toBe(0)
  })

  it('LIMITS-01 a password of 6 characters is accepted', async () => {
    expect((await signUp('six@example.com', { password: '123456' })).status).toBe(201)
  })

  it('TRIAL-21 accepts the four referral sources or none, and returns 422 for any other, an empty string included', async () => {
    for (const source of ['', null, 'Radio', 'twitter', 'Job Fair ', ['Twitter']]) {
      const { status, body } = await signUp('radio@example.com', { referral_source: source })
      const named = expect.objectContaining({ loc: ['body', 'referral_source'] }) as object
      expect([status, body], JSON.stringify(source)).toEqual([422, { detail: [named] }])
    }
    expect(await countUsers('radio@example.com')).toBe(0)
    for (const [at, source] of ['Twitter', 'LinkedIn', 'Job Fair', 'Instagram', undefined].entries()) {
      const email = `source${at}@example.com`
      expect((await signUp(email, { referral_source: source })).status).toBe(201)
      const rows = await server.sql('select referral_source from users where email = $1', [email])
      expect(rows).toEqual([{ referral_source: source ?? null }])
    }
  })
})

describe('sign-in', () => {
  it('API-ACCOUNT-01 API-ACCOUNT-02 API-ACCOUNT-03 returns a token, and whether the email is confirmed', async () => {
    await signUp('in@example.com')
    const before = await signIn('in@example.com')
    expect(before).toMatchObject({ status: 200, body: { confirmed_email: false } })
    const [mail] = await server.mailsTo('in@example.com')
    await server.call('GET', `/auth/confirm-email/${tokenIn(mail!)}`)
    const after = await signIn(' IN@Example.com ')
    expect(after).toMatchObject({ status: 200, body: { confirmed_email: true } })
    expect(after.body.access_token).toMatch(/^at_[\w-]{43}$/)
  })

  it('H01 a wrong password and an unknown email get the same response', async () => {
    await signUp('known@example.com')
    const wrong = await signIn('known@example.com', 'wrong horse')
    const unknown = await signIn('unknown@example.com', 'wrong horse')
    expect(wrong).toMatchObject({ status: 401, body: { detail: 'Invalid credentials' } })
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
  })

  it.each([
    ['an email that is a list', { email: ['a'], password: 'correct horse' }],
    ['a password that is a query', { email: 'a@example.com', password: { $ne: 1 } }],
    ['a password of 0', { email: 'a@example.com', password: 0 }],
    ['a password of true', { email: 'a@example.com', password: true }],
    ['a password of null', { email: 'a@example.com', password: null }],
    ['a password of half a megabyte', { email: 'a@example.com', password: 'x'.repeat(500_000) }],
  ])('H02 %s returns 422', async (_what, body) => {
    const answer = await server.call('POST', '/auth/login', { body })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', expect.any(String)] })
  })
})

describe('the current user', () => {
  it('API-ACCOUNT-06 is identified by the bearer token', async () => {
    const { token, email } = await signUpUser(server)
    const { status, body } = await server.call('GET', '/auth/user', { token })
    expect(status).toBe(200)
    expect(Object.keys(body as object)).toEqual([
      'id',
      'email',
      'first_name',
      'last_name',
      'confirmed_email',
      'created_at',
      'has_password',
      'preferences',
      'workspace',
    ])
    expect(body).toMatchObject({ email, first_name: 'Ann', last_name: 'Lee', confirmed_email: true })
  })

  it.each([
    ['no token', {}],
    ['a token of no session', { authorization: `Bearer at_${'A'.repeat(43)}` }],
    ['a secret key', { authorization: `Bearer ck_${'A'.repeat(43)}` }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['two tokens', { authorization: 'Bearer at_a, Bearer at_b' }],
  ])('%s returns 401', async (_what, headers) => {
    const answer = await server.call('GET', '/auth/user', { headers })
    expect(answer.status).toBe(401)
    expect(answer.body.detail).toMatch(/^Sign in first/)
  })

  it('signing out ends the session at once', async () => {
    const { token } = await signUpUser(server)
    expect((await server.call('POST', '/auth/logout', { token })).status).toBe(204)
    expect((await server.call('GET', '/auth/user', { token })).status).toBe(401)
    expect((await server.call('GET', '/email/configs', { token })).status).toBe(401)
  })

  it('H16 an unconfirmed user can read their own user, and nothing else', async () => {
    await signUp('pending@example.com')
    const token = (await signIn('pending@example.com')).body.access_token as string
    expect((await server.call('GET', '/auth/user', { token })).body.confirmed_email).toBe(false)
    const guarded = operations.filter(({ access }) => access === 'member')
    expect(guarded.map(({ name }) => name)).toEqual(expect.arrayContaining(['addEmailConfig', 'sendMailWithKey']))
    for (const { method, path, name } of guarded) {
      const at = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
      const answer = await server.call(method, at, { token, body: method === 'GET' ? undefined : {} })
      expect([name, answer.status]).toEqual([name, 403])
      expect(answer.body.detail).toMatch(/^Confirm your email address first/)
    }
  })

  it('a session expires after 7 days without use, and after 30 days in total', async () => {
    const { token } = await signUpUser(server)
    const age = (change: string) =>
      server.sql(`update sessions set ${change} where token_hash = sha256($1::bytea)`, [Buffer.from(token)])
    const statusNow = async () => (await server.call('GET', '/auth/user', { token })).status
    await age("expires_at = expires_at - interval '30 days' + interval '1 minute'")
    expect(await statusNow()).toBe(200)
    await age("expires_at = expires_at - interval '1 minute'")
    expect(await statusNow()).toBe(401)
    await age(
      "expires_at = expires_at + interval '30 days', last_used_at = now() - interval '7 days' + interval '1 minute'",
    )
    expect(await statusNow()).toBe(200)
    await age("last_used_at = now() - interval '7 days'")
    expect(await statusNow()).toBe(401)
  })

  it('the token itself is not in the database', async () => {
    const { token } = await signUpUser(server)
    const rows = await server.sql<{ text: string }>('select sessions::text as text from sessions')
    expect(rows.map((row) => row.text).join()).not.toContain(token.slice(3))
  })
})

describe('the confirmation link', () => {
  it('API-ACCOUNT-12 API-ACCOUNT-13 returns message and error, and a repetition succeeds', async () => {
    await signUp('repeat@example.com')
    const [mail] = await server.mailsTo('repeat@example.com')
    for (let times = 0; times < 2; times++) {
      const answer = await server.call('GET', `/auth/confirm-email/${tokenIn(mail!)}`)
      expect(answer).toMatchObject({
        status: 200,
        body: { message: 'Your email has been successfully confirmed!', error: null },
      })
    }
  })

  it('H10 opened twenty times concurrently, by HEAD or by prefetch, it confirms and signs no user in', async () => {
    await signUp('parallel@example.com')
    const path = `/auth/confirm-email/${tokenIn((await server.mailsTo('parallel@example.com'))[0]!)}`
    const answers = await Promise.all([
      server.call('HEAD', path),
      server.call('GET', path, { headers: { purpose: 'prefetch' } }),
      ...Array.from({ length: 20 }, () => server.call('GET', path)),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.map(({ text }) => text).join()).not.toContain('at_')
    expect(answers.some(({ headers }) => headers.has('set-cookie'))).toBe(false)
  })

  it('returns 410 and expired after its expiry, and its browser may request another', async () => {
    await signUp('late@example.com')
    const [mail] = await server.mailsTo('late@example.com')
    await server.sql(
      "update account_tokens set expires_at = now() - interval '1 second' where user_id = (select id from users where email = 'late@example.com')",
    )
    const answer = await server.call('GET', `/auth/confirm-email/${tokenIn(mail!)}`)
    expect(answer).toMatchObject({
      status: 410,
      body: { message: 'This confirmation link has expired.', error: 'expired' },
    })
    // A browser keeps a 410 for ever that does not say how long.
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    expect((await server.call('POST', '/email/resend-confirmation', { headers: { cookie } })).status).toBe(200)
    const [again] = await server.mailsTo('late@example.com', 2)
    expect((await server.call('GET', `/auth/confirm-email/${tokenIn(again!)}`)).status).toBe(200)
    // Confirmed now: the old link counts as a repetition at any age.
    expect((await server.call('GET', `/auth/confirm-email/${tokenIn(mail!)}`)).status).toBe(200)
  })

  it.each(['cf_unknown', `cf_${'A'.repeat(43)}`, '..%2f..', 'x'.repeat(400), '%00', '__proto__'])(
    '%s returns 404 in the same form',
    async (token) => {
      const answer = await server.call('GET', `/auth/confirm-email/${token}`)
      expect(answer).toMatchObject({ status: 404, body: { error: 'invalid' } })
      expect(answer.body.message).toMatch(/^This confirmation link is not valid/)
    },
  )

  it('is valid for 24 hours', async () => {
    await signUp('life@example.com')
    const rows = await server.sql<{ hours: number }>(
      "select extract(epoch from expires_at - created_at)::float / 3600 as hours from account_tokens where user_id = (select id from users where email = 'life@example.com')",
    )
    expect(rows[0]!.hours).toBeCloseTo(24, 1)
  })

  it('its token is not stored in plaintext while the mail is queued', async () => {
    await signUp('sealed@example.com')
    const token = tokenIn((await server.mailsTo('sealed@example.com'))[0]!)
    for (const table of ['account_tokens', 'messages', 'deliveries', 'users']) {
      const rows = await server.sql<{ text: string }>(`select ${table}::text as text from ${table}`)
      expect(rows.map((row) => row.text).join()).not.toContain(token.slice(3))
    }
  })
})

describe('another confirmation mail', () => {
  it('API-ACCOUNT-14 API-ACCOUNT-15 is sent to the account of the bearer token, without a body', async () => {
    await signUp('bearer@example.com')
    const token = (await signIn('bearer@example.com')).body.access_token as string
    const answer = await server.call('POST', '/email/resend-confirmation', {
      token,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
    expect(await server.mailsTo('bearer@example.com', 2)).toHaveLength(2)
  })

  it('is sent to the account that this browser signed up, identified by an HttpOnly cookie', async () => {
    const signedUp = await signUp('cookie@example.com')
    const cookie = signedUp.headers.get('set-cookie')!
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    await server.call('POST', '/email/resend-confirmation', { headers: { cookie: cookie.split(';')[0]! } })
    expect(await server.mailsTo('cookie@example.com', 2)).toHaveLength(2)
  })

  it('TRIAL-41 the cookie of a sign-up has equal length and attributes for a new and a known address, and contains no readable id or time', async () => {
    await signUp('known@example.com')
    const [known] = await server.sql<{ id: string }>("select id from users where email = 'known@example.com'")
    const answers = [await signUp('unknown@example.com'), await signUp('known@example.com')]
    const lines = answers.map(({ headers }) => headers.getSetCookie())
    const values = lines.map((all) => {
      expect(all).toHaveLength(1)
      return /^sw_pending_account=([^;]*); (.*)$/.exec(all[0]!)!
    })
    const [fresh, repeated] = values.map(([, value = '', attributes = '']) => ({ value, attributes }))
    expect(repeated!.attributes).toBe(fresh!.attributes)
    expect(fresh!.attributes).toBe('Max-Age=86400; Path=/email/resend-confirmation; HttpOnly; SameSite=Strict')
    expect(repeated!.value).not.toBe(fresh!.value)
    const hex = known!.id.replaceAll('-', '')
    for (const { value } of [fresh!, repeated!]) {
      // A prefix and 32 random bytes: there is no space for other data.
      expect(value).toMatch(/^pa_[\w-]{43}$/)
      const bytes = Buffer.from(value.slice(3), 'base64url')
      expect(bytes.toString('latin1')).not.toContain(known!.id)
      // The first 48 bits of a UUIDv7 are its time (RFC 9562 §5.7).
      expect(bytes.toString('hex')).not.toContain(hex.slice(0, 8))
    }
    expect((await server.sql('select user_id from pending_accounts where user_id is not null')).length).toBeGreaterThan(
      2,
    )
  })

  it('a browser’s handle is not stored in plaintext, expires with the confirmation link, and an account keeps twenty', async () => {
    const cookie = (await signUp('handle@example.com')).headers.get('set-cookie')!.split(';')[0]!
    const [row] = await server.sql<{ text: string; left: number; user_id: string }>(
      `select encode(handle_hash, 'hex') as text, extract(epoch from expires_at - now())::float8 as left, user_id
       from pending_accounts order by created_at desc limit 1`,
    )
    expect(row!.text).not.toContain(Buffer.from(cookie.slice(-43), 'base64url').toString('hex'))
    expect(Math.abs(row!.left - 86_400)).toBeLessThan(60)
    await server.sql("update pending_accounts set expires_at = now() - interval '1 second' where user_id = $1", [
      row!.user_id,
    ])
    await server.call('POST', '/email/resend-confirmation', { headers: { cookie } })
    const again = (await signUp('handle@example.com')).headers.get('set-cookie')!.split(';')[0]!
    await server.call('POST', '/email/resend-confirmation', { headers: { cookie: again } })
    // The first, the notice about the existing account, and one for the second handle: the expired one sent none.
    const mails = await server.mailsTo('handle@example.com', 3)
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Confirm your email address',
      'Confirm your email address',
      'You already have an account',
    ])
    for (let times = 0; times < 21; times++) await signUp('handle@example.com')
    expect(await server.sql('select 1 from pending_accounts where user_id = $1', [row!.user_id])).toHaveLength(20)
  })

  it('H11 responds the same without an account, with a forged cookie, for a confirmed account, and stops after three in an hour', async () => {
    await signUp('bomb@example.com')
    const token = (await signIn('bomb@example.com')).body.access_token as string
    const { token: confirmed, email } = await signUpUser(server)
    const [user] = await server.sql<{ id: string }>("select id from users where email = 'bomb@example.com'")
    const answers = [
      await server.call('POST', '/email/resend-confirmation'),
      await server.call('POST', '/email/resend-confirmation', {
        headers: { cookie: `sw_pending_account=${user!.id}.forged` },
      }),
      await server.call('POST', '/email/resend-confirmation', { token: confirmed }),
    ]
    for (let times = 0; times < 20; times++)
      answers.push(await server.call('POST', '/email/resend-confirmation', { token }))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await server.mailsTo('bomb@example.com', 4)).toHaveLength(4)
    expect((await server.mailsTo(email)).map((mail) => mail.subject)).toEqual(['Confirm your email address'])
  })
})
