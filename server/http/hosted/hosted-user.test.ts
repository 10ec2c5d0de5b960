import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeHostedKey } from '../../../tests/support/hosted.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { type CallOptions, useServer } from '../../../tests/support/server.ts'

let key: string

const server = await useServer()
beforeAll(async () => {
  key = (await makeHostedKey(server, 'read', [])).key
})
beforeEach(async () => {
  await server.sql('delete from hosted_users')
  await server.sql('delete from attempts')
  await server.sql('delete from hosted_documents')
})

const person = { email: 'Ann@Example.com', password: 'correct horse', data: { plan: 'free', tags: ['a'] } }
const call = (method: string, path: string, options: CallOptions = {}) =>
  server.call(method, path, { ...options, headers: { 'x-api-key': key } })
const signUp = (changes: object = {}) => call('POST', '/auth-collections/signup', { body: { ...person, ...changes } })
const signIn = (email: string, password: string) =>
  call('POST', '/auth-collections/login', { body: { email, password } })
const user = (token?: string) => call('GET', '/auth-collections/user', { token })
const change = (token: string, body: object) => call('PATCH', '/auth-collections/user', { token, body })

describe('a hosted user', () => {
  it('HOSTED-15 HOSTED-18 signs up with email, password and a data object, and is signed in', async () => {
    const { status, body, headers } = await signUp()
    expect(status).toBe(201)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^hu_[\w-]{43}$/),
      user: {
        id: expect.any(String),
        email: 'ann@example.com',
        data: person.data,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await user(body.access_token as string)).body).toEqual(body.user)
  })

  it('HOSTED-04 HOSTED-13 HOSTED-14 signs in with email and password, not wrapped in data, and gets an access_token', async () => {
    await signUp()
    const { status, body } = await signIn(' ANN@example.com', person.password)
    expect(status).toBe(200)
    expect(body.access_token).toMatch(/^hu_/)
    expect((await user(body.access_token as string)).status).toBe(200)
    const wrapped = await call('POST', '/auth-collections/login', { body: { data: { email: person.email } } })
    expect(wrapped.status).toBe(422)
  })

  it('HOSTED-16 is read only with the API key and the token together', async () => {
    const { body } = await signUp()
    const token = body.access_token as string
    expect((await user(token)).body.email).toBe('ann@example.com')
    expect((await user()).status).toBe(401)
    expect((await user(`hu_${'x'.repeat(43)}`)).status).toBe(401)
    expect((await server.call('GET', '/auth-collections/user', { token })).status).toBe(401)
  })

  it('HOSTED-17 changes data, email and password; data merges', async () => {
    const { body } = await signUp()
    const token = body.access_token as string
    const answer = await change(token, {
      data: { plan: 'paid', tags: null },
      email: 'Lee@example.com',
      password: 'other horse',
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: body.user.id, email: 'lee@example.com', data: { plan: 'paid' } })
    expect(answer.body.data).not.toHaveProperty('tags')
    expect((await signIn('lee@example.com', 'other horse')).status).toBe(200)
    expect((await signIn('ann@example.com', person.password)).status).toBe(401)
  })

  it('keeps the fields missing in a change', async () => {
    const { body } = await signUp()
    const token = body.access_token as string
    expect((await change(token, {})).body).toMatchObject({ email: 'ann@example.com', data: person.data })
    expect((await change(token, { email: 'b@example.com' })).body).toMatchObject({ data: person.data })
  })

  it('ends all other tokens with a new password, and no token with any other change', async () => {
    const { body: first } = await signUp()
    const { body: second } = await signIn(person.email, person.password)
    await change(first.access_token as string, { data: { a: 1 } })
    expect((await user(second.access_token as string)).status).toBe(200)
    await change(first.access_token as string, { password: 'other horse' })
    expect((await user(first.access_token as string)).status).toBe(200)
    expect((await user(second.access_token as string)).status).toBe(401)
  })

  it('has a unique address', async () => {
    await signUp()
    const again = await signUp({ email: 'ANN@example.COM' })
    expect([again.status, again.body.detail]).toEqual([
      409,
      'This email address already has a user. Sign in, or use another.',
    ])
    const { body: other } = await signUp({ email: 'lee@example.com' })
    expect((await change(other.access_token as string, { email: 'ann@example.com' })).status).toBe(409)
    expect((await user(other.access_token as string)).body.email).toBe('lee@example.com')
  })

  it('has tokens that expire after thirty days', async () => {
    const { body } = await signUp()
    await server.sql("update hosted_tokens set expires_at = expires_at - interval '30 days' + interval '5 seconds'")
    expect((await user(body.access_token as string)).status).toBe(200)
    await server.sql("update hosted_tokens set expires_at = expires_at - interval '5 seconds'")
    expect((await user(body.access_token as string)).status).toBe(401)
  })

  it.each([
    ['no email', { email: undefined }, 'email'],
    ['an email that is none', { email: 'ann' }, 'email'],
    ['a list for an email', { email: ['ann@example.com'] }, 'email'],
    ['a short password', { password: 'short' }, 'password'],
    ['a password of a kilobyte and more', { password: 'x'.repeat(1025) }, 'password'],
    ['an object for a password', { password: { $ne: 1 } }, 'password'],
    ['a text for data', { data: 'x' }, 'data'],
  ])('H02 with %s returns 422', async (_what, changes, field) => {
    const answer = await signUp(changes)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', field]])
  })

  it('with data over 256 kB returns 413', async () => {
    expect((await signUp({ data: { text: 'x'.repeat(256 * 1024) } })).status).toBe(413)
    const { body } = await signUp()
    expect((await change(body.access_token as string, { data: { text: 'x'.repeat(256 * 1024) } })).status).toBe(413)
  })
})

describe('a change of email or password', () => {
  const age = (minutes: number) =>
    server.sql('update hosted_tokens set created_at = now() - make_interval(mins => $1)', [minutes])
  const kept = () => server.sql('select email, password_hash, data, updated_at from hosted_users')

  it('TRIAL-47 with a token older than 10 minutes and no current_password returns 403 with a hint and changes nothing', async () => {
    const { body } = await signUp()
    const token = body.access_token as string
    const { body: other } = await signIn(person.email, person.password)
    await age(10)
    const before = await kept()
    for (const changes of [{ password: 'other horse' }, { email: 'lee@example.com' }]) {
      const answer = await change(token, { ...changes, data: { plan: 'paid' } })
      expect(answer).toMatchObject({
        status: 403,
        body: {
          detail:
            'Changing email or password needs a sign-in within the last 10 minutes. Sign in again, or send current_password.',
        },
      })
    }
    expect(await kept()).toEqual(before)
    expect((await user(other.access_token as string)).status).toBe(200)
    // Changes of neither stay possible, as does the specified payload with the same address.
    expect((await change(token, { email: person.email, data: { plan: 'paid' } })).status).toBe(200)
  })

  it('TRIAL-48 is accepted with the right current_password, and without it within 10 minutes of the sign-in', async () => {
    const { body } = await signUp()
    const token = body.access_token as string
    await age(9)
    expect((await change(token, { email: 'lee@example.com', password: 'second horse' })).status).toBe(200)
    await age(11)
    expect((await change(token, { password: 'third horse' })).status).toBe(403)
    const wrong = await change(token, { password: 'third horse', current_password: person.password })
    expect(wrong).toMatchObject({
      status: 400,
      body: { detail: 'The current password is wrong. Enter it again.' },
    })
    const right = { email: 'ann@example.com', password: 'third horse', current_password: 'second horse' }
    expect((await change(token, right)).status).toBe(200)
    expect((await signIn('ann@example.com', 'third horse')).status).toBe(200)
  })

  it('limits a stolen token to five guesses of the current password in a quarter of an hour', async () => {
    const token = (await signUp()).body.access_token as string
    await age(11)
    const guess = (guessed: string) => change(token, { password: 'other horse', current_password: guessed })
    for (let times = 0; times < 5; times++) expect((await guess('wrong horse')).status).toBe(400)
    expect((await guess(person.password)).status).toBe(429)
    expect((await signIn(person.email, person.password)).status).toBe(200)
  })
})

describe('sign-ups with existing addresses', () => {
  it('TRIAL-49 return 429 after 10 attempts within an hour from one network', async () => {
    await signUp()
    for (let times = 0; times < 10; times++) expect((await signUp()).status).toBe(409)
    const refused = await signUp()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^3[56]\d\d$/)])
    // Otherwise the difference would reveal existing addresses.
    expect((await signUp({ email: 'free@example.com' })).status).toBe(429)
    await server.sql("update attempts set at = at - interval '1 hour'")
    expect((await signUp()).status).toBe(409)
  })

  it('are counted alone: ten new addresses leave all ten attempts', async () => {
    for (let at = 0; at < 12; at++) expect((await signUp({ email: `free${at}@example.com` })).status).toBe(201)
    expect((await signUp({ email: 'free0@example.com' })).status).toBe(409)
    const many = await Promise.all(Array.from({ length: 20 }, () => signUp({ email: 'free1@example.com' })))
    expect(many.filter(({ status }) => status === 409)).toHaveLength(9)
  })
})

describe('hosted users and product accounts', () => {
  it('are separate: neither’s password or token is valid for the other', async () => {
    const account = await createUser(server)
    const { body } = await signUp()
    expect((await signIn(account.email, account.password)).status).toBe(401)
    expect((await user(account.token)).status).toBe(401)
    expect((await server.call('GET', '/auth/user', { token: body.access_token as string })).status).toBe(401)
    const login = await server.call('POST', '/auth/login', { body: { email: person.email, password: person.password } })
    expect(login.status).toBe(401)
  })
})

describe('a failed sign-in', () => {
  it('H01 has the same response for a wrong password and an unknown address', async () => {
    await signUp()
    const wrong = await signIn(person.email, 'wrong horse')
    const unknown = await signIn('nobody@example.com', 'wrong horse')
    expect([wrong.status, wrong.text]).toEqual([401, JSON.stringify({ detail: 'Invalid credentials' })])
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
  })

  it('H03 is limited to ten attempts in a quarter of an hour', async () => {
    await signUp()
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await signIn(person.email, 'wrong horse')).status).toBe(401)
    }
    const refused = await signIn(person.email, person.password)
    expect(refused).toMatchObject({ status: 429, body: { detail: 'Too many attempts. Try again later.' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(890)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900)
    await server.sql("update attempts set at = at - interval '15 minutes'")
    expect((await signIn(person.email, person.password)).status).toBe(200)
  })

  it('H57 leaves no password, token or address in rows or log', async () => {
    const { body } = await signUp({ email: 'canary@example.com', password: 'canary-password-1' })
    await signIn('canary@example.com', 'canary-password-2')
    const token = (body.access_token as string).slice(3)
    const rows = await server.sql(
      `select users::text, (select json_agg(encode(subject, 'escape'))::text from attempts) as attempts,
         (select json_agg(hosted_tokens)::text from hosted_tokens) as tokens from hosted_users as users`,
    )
    const kept = JSON.stringify(rows)
    for (const secret of ['canary-password', token, Buffer.from(token, 'base64url').toString('hex')]) {
      expect(kept).not.toContain(secret)
      expect(server.logged()).not.toContain(secret)
    }
    expect(server.logged()).not.toContain('canary@example.com')
  })
})

describe('a hosted user’s own collection', () => {
  const own = async (email = 'ann@example.com') => {
    const { body } = await signUp({ email })
    return { token: body.access_token as string, collection: `user-${body.user.id as string}` }
  }
  const create = (collection: string, token: string | undefined, data: object = {}) =>
    call('POST', `/collections/documents?collection=${collection}`, { token, body: { data } })

  it('HOSTED-02 is read and written with the page’s key and the user’s token', async () => {
    const { token, collection } = await own()
    const { status, body } = await create(collection, token, { note: 1 })
    expect(status).toBe(201)
    const path = `/collections/${collection}/documents/${body.id as string}`
    expect((await call('PATCH', path, { token, body: { data: { note: 2 } } })).body.data).toEqual({ note: 2 })
    expect((await call('GET', `/collections/${collection}/documents`, { token })).body).toHaveLength(1)
    expect((await call('DELETE', path, { token })).status).toBe(204)
  })

  it('H47 is closed to all others: other users, no user, and unrestricted read keys', async () => {
    const { token, collection } = await own()
    const { body } = await create(collection, token, { secret: true })
    const otherUser = await own('lee@example.com')
    const path = `/collections/${collection}/documents/${body.id as string}`
    for (const other of [otherUser.token, undefined]) {
      const tries = [
        await call('GET', path, { token: other }),
        await call('GET', `/collections/${collection}/documents`, { token: other }),
        await call('PATCH', path, { token: other, body: { data: {} } }),
        await call('DELETE', path, { token: other }),
        await create(collection, other),
      ]
      expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    }
    const open = (await makeHostedKey(server, 'read')).key
    expect((await server.call('GET', path, { headers: { 'x-api-key': open } })).status).toBe(403)
  })

  it('returns 401 for an expired token, so that the client can detect it', async () => {
    const { token, collection } = await own()
    await server.sql('delete from hosted_tokens')
    expect((await create(collection, token)).status).toBe(401)
    expect((await call('GET', '/collections/templates/documents', { token })).status).toBe(401)
  })

  it('contains at most 200 documents and 1 MB', async () => {
    const { token, collection } = await own()
    const text = 'x'.repeat(250 * 1024)
    for (let at = 0; at < 4; at++) expect((await create(collection, token, { text })).status).toBe(201)
    expect((await create(collection, token, { text })).status).toBe(409)
    // Each takes 12 bytes beside its text: 24,528 of 1,048,576 are left.
    expect((await create(collection, token, { text: 'x'.repeat(24_517) })).status).toBe(409)
    const fitting = await create(collection, token, { text: 'x'.repeat(24_516) })
    expect(fitting.status).toBe(201)
    await call('DELETE', `/collections/${collection}/documents/${fitting.body.id as string}`, { token })
    const { body: small } = await create(collection, token, { text: 'small' })
    const path = `/collections/${collection}/documents/${small.id as string}`
    expect((await call('PATCH', path, { token, body: { data: { text } } })).status).toBe(409)
    await server.sql('delete from hosted_documents where collection = $1', [collection])
    await server.sql(
      "insert into hosted_documents (collection, id, data) select $1, 'd' || n, '{}' from generate_series(1, 199) as n",
      [collection],
    )
    const last = await Promise.all(Array.from({ length: 4 }, () => create(collection, token)))
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(last.find(({ status }) => status === 409)?.body.detail).toBe(
      'This collection is full. Delete something first.',
    )
  })
})
