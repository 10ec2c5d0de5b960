import { describe, expect, it } from 'vitest'
import type { SandboxMessage } from '../../../contract/mail/sandbox.ts'
import { signUpUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer({ TRUSTED_PROXIES: '127.0.0.1, ::1' })

let clientCount = 0
/** A client on its own network, so that one test's limits do not affect another's. */
const newClient = () => ({ 'x-forwarded-for': `198.51.100.${++clientCount}` })
const request = (email: string, headers: Record<string, string> = newClient()) =>
  server.call('GET', `/auth/reset-password/${encodeURIComponent(email)}`, { headers })
const update = (token: string, newPassword = 'new password') =>
  server.call('POST', '/auth/update-password', { body: { token, new_password: newPassword } })
const signIn = (email: string, password: string) =>
  server.call('POST', '/auth/login', { body: { email, password }, headers: newClient() })

const isReset = (mail: SandboxMessage) => mail.subject === 'Reset your password'
function resetTokenIn(mail: SandboxMessage): string {
  return /\/forgot_password\/(rp_[\w-]{43})/.exec(mail.html ?? '')?.[1] ?? 'none'
}
/** Requests a link and returns its token. */
async function newToken(email: string, earlierCount = 1): Promise<string> {
  await request(email)
  const mails = await server.mailsTo(email, earlierCount + 1)
  return resetTokenIn(mails.find(isReset)!)
}

describe('a reset link request', () => {
  it('mails a link that sets a new password, which is valid', async () => {
    const user = await signUpUser(server)
    const token = await newToken(user.email)
    expect((await update(token)).status).toBe(200)
    expect((await signIn(user.email, user.password)).status).toBe(401)
    expect((await signIn(user.email, 'new password')).status).toBe(200)
    const [changed] = await server.mailsTo(user.email, 3)
    expect(changed!.subject).toBe('Your password was changed')
    expect(changed!.html).toContain(`${server.url}/login`)
  })

  it('H07 responds the same for every value, stores no copy, and logs none', async () => {
    const { email } = await signUpUser(server)
    const answers = [
      await request(email),
      await request('unknown@example.com'),
      await request('no address'),
      await request('a@example.com\r\nBcc: b@example.com'),
      await request('a@example.com, b@example.com'),
      await request('<script>'),
    ]
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store')
    expect((await server.mailsTo(email, 2)).filter(isReset)).toHaveLength(1)
    expect(server.logged()).not.toContain(encodeURIComponent(email))
    expect(server.logged()).not.toContain(email)
  })

  it('H07 mails an address at most three times an hour, for any client', async () => {
    const { email } = await signUpUser(server)
    const answers = await Promise.all(Array.from({ length: 20 }, () => request(email)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await server.mailsTo(email, 4)
    const waiting = await server.sql("select id from deliveries where state = 'queued' and recipient = $1", [email])
    expect(waiting).toEqual([])
    expect((await server.mailsTo(email, 4)).filter(isReset)).toHaveLength(3)
  })

  it('H07 mails at most ten times an hour for one client', async () => {
    const users = []
    for (let at = 0; at < 12; at++) users.push(`many${at}@example.com`)
    await server.sql(
      `insert into users (id, email, first_name, last_name, email_confirmed_at)
       select gen_random_uuid(), email, 'A', 'B', now() from unnest($1::text[]) as email`,
      [users],
    )
    const client = newClient()
    await Promise.all(users.map((email) => request(email, client)))
    const [{ count } = { count: 0 }] = await server.sql<{ count: number }>(
      "select count(*)::int as count from account_tokens join users on users.id = user_id where purpose = 'reset' and email like 'many%'",
    )
    expect(count).toBe(10)
  })

  it('H08 the link has the public address, for any Host header', async () => {
    const { email } = await signUpUser(server)
    await request(email, {
      ...newClient(),
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    })
    const mail = (await server.mailsTo(email, 2)).find(isReset)!
    expect(mail.raw).not.toContain('evil.example')
    expect(mail.html).toContain(`href="${server.url}/forgot_password/rp_`)
    expect(mail.text).toContain(`${server.url}/forgot_password/rp_`)
  })

  it('is valid for 30 minutes, and its token is not stored in plaintext', async () => {
    const { email } = await signUpUser(server)
    const token = await newToken(email)
    const rows = await server.sql<{ minutes: number }>(
      `select extract(epoch from expires_at - account_tokens.created_at)::float / 60 as minutes from account_tokens
       join users on users.id = user_id where purpose = 'reset' and email = $1`,
      [email],
    )
    expect(rows[0]!.minutes).toBeCloseTo(30, 0)
    for (const table of ['account_tokens', 'messages', 'deliveries']) {
      const texts = await server.sql<{ text: string }>(`select ${table}::text as text from ${table}`)
      expect(texts.map(({ text }) => text).join()).not.toContain(token.slice(3))
    }
    expect(server.logged()).not.toContain(token)
  })
})

describe('a new password', () => {
  it('H09 ends every session, every other link, and the old password', async () => {
    const user = await signUpUser(server)
    const second = (await signIn(user.email, user.password)).body.access_token as string
    const [first, other] = [await newToken(user.email), await newToken(user.email, 2)]
    expect((await update(first)).status).toBe(200)
    for (const token of [user.token, second]) {
      expect((await server.call('GET', '/auth/user', { token })).status).toBe(401)
    }
    for (const token of [first, other]) {
      const answer = await update(token, 'another password')
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: 'This reset link has expired or was already used. Request a new one.' },
      })
    }
    expect((await signIn(user.email, 'another password')).status).toBe(401)
  })

  it('H09 of many concurrent posts with one token, or with two tokens of one user, exactly one succeeds', async () => {
    const user = await signUpUser(server)
    const tokens = [await newToken(user.email), await newToken(user.email, 2)]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => update(tokens[at % 2]!, `password number ${at}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)])
    const winner = answers.findIndex(({ status }) => status === 200)
    const works = async (at: number) => (await signIn(user.email, `password number ${at}`)).status
    expect(await works(winner)).toBe(200)
    // With the other token, and with the same one.
    expect([await works((winner + 1) % 8), await works((winner + 2) % 8)]).toEqual([401, 401])
  })

  it('H09 an expired, truncated, invented or foreign token returns 400', async () => {
    const user = await signUpUser(server)
    const token = await newToken(user.email)
    const [confirmation] = (await server.mailsTo(user.email, 2)).filter((mail) => !isReset(mail))
    const confirmationToken = /cf_[\w-]{43}/.exec(confirmation!.html ?? '')![0]
    await server.sql(
      "update account_tokens set expires_at = now() where purpose = 'reset' and user_id = (select id from users where email = $1)",
      [user.email],
    )
    const tokens = [token, token.slice(0, -1), `rp_${'A'.repeat(43)}`, confirmationToken, user.token, '', '\u{1f600}']
    for (const one of tokens) expect((await update(one)).status).toBe(400)
    expect((await signIn(user.email, user.password)).status).toBe(200)
    expect((await server.call('GET', '/auth/user', { token: user.token })).status).toBe(200)
  })

  it.each([
    ['under 6 characters', '12345', 'too_short'],
    ['over 1,024 bytes', 'é'.repeat(600), 'too_long'],
  ])('a password %s returns 422 and leaves the link unchanged', async (_what, password, type) => {
    const user = await signUpUser(server)
    const token = await newToken(user.email)
    const { status, body } = await update(token, password)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', 'new_password'], type }])
    expect((await update(token)).status).toBe(200)
  })

  it('confirms the address, because the link was mailed to it', async () => {
    const body = { first_name: 'Ann', last_name: 'Lee', email: 'unconfirmed@example.com', password: 'correct horse' }
    await server.call('POST', '/auth/', { body, headers: newClient() })
    expect((await update(await newToken(body.email))).status).toBe(200)
    expect((await signIn(body.email, 'new password')).body.confirmed_email).toBe(true)
  })
})
