import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { describe, expect, it } from 'vitest'
import { signUpUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer, useServer } from '../../../tests/support/server.ts'

const server = await useServer({ TRUSTED_PROXIES: '127.0.0.1, ::1' })

let clientCount = 0
const newAddress = () => `203.0.113.${++clientCount}`
const signIn = (email: string, password: string, from: { address?: string; cookie?: string } = {}) =>
  server.call('POST', '/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': from.address ?? newAddress(), ...(from.cookie && { cookie: from.cookie }) },
  })
async function fail(email: string, count: number, from?: { address?: string; cookie?: string }): Promise<number[]> {
  const statuses: number[] = []
  for (let times = 0; times < count; times++) statuses.push((await signIn(email, 'wrong horse', from)).status)
  return statuses
}
/** The cookie of a browser in which the user has signed in. */
async function knownDevice({ email, password }: TestUser): Promise<string> {
  const answer = await signIn(email, password)
  const line = answer.headers.getSetCookie().find((text) => text.startsWith('sw_device='))!
  expect(line).toMatch(/; Path=\/auth; HttpOnly; SameSite=Strict$/)
  return line.split(';')[0]!
}
/** As if the last attempt of a kind had been repeated this many times. */
const repeatLast = ({ sql }: TestServer, kind: string, count: number) =>
  sql(
    `insert into attempts (kind, subject) select kind, subject
     from (select kind, subject from attempts where kind = $1 order by id desc limit 1) as last, generate_series(1, $2)`,
    [kind, count],
  )
const forget = (minutes: number) => server.sql('update attempts set at = at - make_interval(mins => $1)', [minutes])

describe('H03 failed sign-ins', () => {
  it('H03 the sixth for one address within 15 minutes returns 429, from any network, with the right password too', async () => {
    const user = await signUpUser(server)
    expect(await fail(user.email, 5)).toEqual([401, 401, 401, 401, 401])
    const sixth = await signIn(user.email, 'wrong horse')
    expect(sixth).toMatchObject({
      status: 429,
      body: { detail: 'Too many attempts. Try again later.' },
    })
    const retryAfter = Number(sixth.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(14 * 60)
    expect(retryAfter).toBeLessThanOrEqual(15 * 60)
    expect((await signIn(user.email.toUpperCase(), user.password)).status).toBe(429)
  })

  it('H03 an unknown address has the same limit', async () => {
    expect(await fail('nobody@example.com', 6)).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('H03 of many concurrent ones at most five are checked', async () => {
    const { email } = await signUpUser(server)
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, 'wrong horse')))
    expect(answers.map(({ status }) => status).filter((status) => status === 401)).toHaveLength(5)
  })

  it('H03 the right password still works on a device with an earlier sign-in of the user', async () => {
    const user = await signUpUser(server)
    const cookie = await knownDevice(user)
    await fail(user.email, 6)
    expect((await signIn(user.email, user.password, { cookie })).status).toBe(200)
    expect((await signIn(user.email, user.password)).status).toBe(429)
  })

  it('H03 a known device has its own five, and is known for its own users only', async () => {
    const [user, other] = [await signUpUser(server), await signUpUser(server)]
    const cookie = await knownDevice(user)
    expect(await fail(user.email, 6, { cookie })).toEqual([401, 401, 401, 401, 401, 429])
    expect((await signIn(user.email, user.password)).status).toBe(200)
    await fail(other.email, 6)
    expect((await signIn(other.email, other.password, { cookie })).status).toBe(429)
    await forget(15)
    await fail(user.email, 6)
    expect((await signIn(user.email, user.password, { cookie: `${cookie.slice(0, -4)}AAAA` })).status).toBe(429)
  })

  it('H03 the limit ends after 15 minutes', async () => {
    const user = await signUpUser(server)
    await fail(user.email, 6)
    await forget(15)
    expect((await signIn(user.email, user.password)).status).toBe(200)
  })

  it('H03 the 51st of one network returns 429, others do not', async () => {
    const address = newAddress()
    await fail('spread10@example.com', 1, { address })
    await repeatLast(server, 'sign-in-network', 49)
    expect((await signIn('spread11@example.com', 'wrong horse', { address })).status).toBe(429)
    expect((await signIn('spread11@example.com', 'wrong horse')).status).toBe(401)
  })

  it('TRIAL-45 after 50 failures of one network the response is 429 with a proof-of-work challenge, each solved challenge permits one attempt, and the right password then signs in', async () => {
    const user = await signUpUser(server)
    const address = newAddress()
    const send = (email: string, password: string, proof?: string) =>
      server.call('POST', '/auth/login', {
        body: { email, password, ...(proof !== undefined && { proof_of_work: proof }) },
        headers: { 'x-forwarded-for': address },
      })
    const write = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')
    const solve = async (challenge: Challenge) =>
      write({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })

    await fail('spread20@example.com', 1, { address })
    await repeatLast(server, 'sign-in-network', 48)
    expect((await send('spread21@example.com', 'wrong horse')).status).toBe(401)
    const refused = await send(user.email, user.password)
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('Solve the challenge'), challenge: { signature: expect.any(String) } },
    })
    const challenge = refused.body.challenge as Challenge
    expect((challenge.parameters.expiresAt ?? 0) / 60 - Date.now() / 60_000).toBeCloseTo(10, 0)
    const proof = await solve(challenge)

    const eased = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }
    const tries = [await solve(eased), write({ challenge }), 'no base64 of anything', write(null)]
    for (const forged of tries) expect((await send(user.email, user.password, forged)).status).toBe(429)

    expect((await send('spread22@example.com', 'wrong horse', proof)).status).toBe(401)
    const replayed = await send(user.email, user.password, proof)
    expect(replayed.status).toBe(429)
    const signedIn = await send(user.email, user.password, await solve(replayed.body.challenge as Challenge))
    expect([signedIn.status, signedIn.body.access_token]).toEqual([200, expect.stringMatching(/^at_/)])
  }, 30_000)

  it('an expired proof of work permits nothing', async () => {
    await using plain = await startTestServer()
    const send = (proof?: string) =>
      plain.call('POST', '/auth/login', {
        body: {
          email: 'late@example.com',
          password: 'wrong horse',
          ...(proof !== undefined && { proof_of_work: proof }),
        },
      })
    await send()
    await repeatLast(plain, 'sign-in-network', 49)
    const challenge = (await send()).body.challenge as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    plain.advance(10 * 60_000 + 1000)
    const answer = await send(Buffer.from(JSON.stringify({ challenge, solution })).toString('base64'))
    expect(answer.status).toBe(429)
  }, 30_000)

  it('successful ones are not counted', async () => {
    const user = await signUpUser(server)
    const address = newAddress()
    for (let times = 0; times < 8; times++) {
      expect((await signIn(user.email, user.password, { address })).status).toBe(200)
    }
    await fail(user.email, 4)
    expect((await signIn(user.email, user.password)).status).toBe(200)
    expect(await fail(user.email, 5)).toEqual([401, 401, 401, 401, 401])
  })

  it('a password reset by mail resets the limit', async () => {
    const user = await signUpUser(server)
    await fail(user.email, 6)
    await server.call('GET', `/auth/reset-password/${encodeURIComponent(user.email)}`)
    const [mail] = await server.mailsTo(user.email, 2)
    const token = /rp_[\w-]{43}/.exec(mail!.html ?? '')![0]
    await server.call('POST', '/auth/update-password', { body: { token, new_password: 'new password' } })
    expect((await signIn(user.email, 'new password')).status).toBe(200)
  })

  it('the counters contain neither addresses nor names in plaintext', async () => {
    await fail('canary@example.com', 1, { address: '203.0.113.250' })
    const rows = await server.sql<{ text: string }>(
      "select attempts::text || encode(subject, 'escape') as text from attempts",
    )
    expect(rows.map(({ text }) => text).join()).not.toMatch(/canary|203\.0\.113/)
  })
})

describe('H06 sign-ups', () => {
  const signUp = (email: string, address: string) =>
    server.call('POST', '/auth/', {
      body: { first_name: 'Ann', last_name: 'Lee', email, password: 'correct horse' },
      headers: { 'x-forwarded-for': address },
    })

  it('H06 beyond a hundred an hour of one network return 429: they cannot be used to mail strangers', async () => {
    const address = newAddress()
    await signUp('relay0@example.com', address)
    await repeatLast(server, 'sign-up-network', 99)
    const refused = await signUp('relay1@example.com', address)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signUp('relay1@example.com', newAddress())).status).toBe(201)
  })

  it('H04 repeated for one address mail its owner at most three times an hour', async () => {
    const { email } = await signUpUser(server)
    const answers = []
    for (let times = 0; times < 5; times++) answers.push(await signUp(email, newAddress()))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const mails = await server.mailsTo(email, 4)
    expect(mails.filter(({ subject }) => subject === 'You already have an account')).toHaveLength(3)
  })
})

it('a forged address in X-Forwarded-For is ignored', async () => {
  await using plain = await startTestServer()
  await plain.call('POST', '/auth/login', {
    body: { email: 'spoof0@example.com', password: 'wrong horse' },
    headers: { 'x-forwarded-for': '203.0.113.98' },
  })
  await repeatLast(plain, 'sign-in-network', 49)
  const next = await plain.call('POST', '/auth/login', {
    body: { email: 'spoof@example.com', password: 'wrong horse' },
    headers: { 'x-forwarded-for': '203.0.113.99' },
  })
  expect(next.status).toBe(429)
})
