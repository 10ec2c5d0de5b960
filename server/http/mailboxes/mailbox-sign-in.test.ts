import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startTokenIssuer, type TokenIssuer } from '../../../tests/support/token-issuer.ts'

const publicUrl = 'http://localhost:4000'
let issuer: TokenIssuer
let server: TestServer
let ann: TestUser
let bob: TestUser

beforeAll(async () => {
  issuer = await startTokenIssuer(`${publicUrl}/dashboard/email_config`)
  const { clientId, clientSecret, issuer: at } = issuer.application
  server = await startTestServer({
    PUBLIC_URL: publicUrl,
    GOOGLE_MAIL_CLIENT_ID: clientId,
    GOOGLE_MAIL_CLIENT_SECRET: clientSecret,
    GOOGLE_MAIL_ISSUER: at!.href,
  })
  ann = await createUser(server)
  bob = await createUser(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})

const notCompleted = 'The sign-in at the mailbox’s provider was not completed. Start it again.'
const start = (token: string, provider = 'gmail') =>
  server.call('POST', '/email/config/sign-in', { token, body: { email_address: 'ann@example.com', provider } })
const finish = (token: string, body: object) => server.call('POST', '/email/config/sign-in/finish', { token, body })

/** Returns from the provider with a code and the state. */
async function comeBack(token: string) {
  const { body } = await start(token)
  const back = await issuer.agree((body as { url: string }).url)
  return { code: back.get('code') ?? '', state: back.get('state') ?? '' }
}

/** `state` with another first character: each of its bits counts, while the last characters may carry unused ones. */
const altered = (state: string) => `${state.startsWith('A') ? 'B' : 'A'}${state.slice(1)}`

describe('connecting a mailbox at its provider', () => {
  it('redirects to the provider with the required parameters, and no plaintext secret of ours', async () => {
    const { status, body, headers } = await start(ann.token)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const url = new URL((body as { url: string }).url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'https://mail.google.com/',
      access_type: 'offline',
      login_hint: 'ann@example.com',
      code_challenge_method: 'S256',
      redirect_uri: `${publicUrl}/dashboard/email_config`,
    })
    expect(Buffer.from(url.searchParams.get('state') ?? '', 'base64url').toString()).not.toContain('ann@')
  })

  it('saves nothing when the mail server rejects the sign-in', async () => {
    // smtp.gmail.com does not accept our issuer's token; without a network it is unreachable.
    const answer = await finish(ann.token, await comeBack(ann.token))
    expect(answer.status).toBe(400)
    expect(answer.body.detail).not.toBe(notCompleted)
    const { body } = await server.call('GET', '/email/configs', { token: ann.token })
    expect((body as { email_address: string }[]).map(({ email_address }) => email_address)).toEqual([
      'sandbox@localhost',
    ])
  })

  it('H13 can be completed only by the user who started it', async () => {
    const given = await comeBack(ann.token)
    expect(await finish(bob.token, given)).toMatchObject({ status: 400, body: { detail: notCompleted } })
  })

  it.each([
    ['a state that was altered', ({ code, state }: Back) => ({ code, state: altered(state) })],
    ['a state that was made up', ({ code }: Back) => ({ code, state: 'e30' })],
    ['a code that was made up', ({ state }: Back) => ({ code: 'made-up', state })],
  ])('ends with an error at %s', async (_what, alter) => {
    const answer = await finish(ann.token, alter(await comeBack(ann.token)))
    expect(answer).toMatchObject({ status: 400, body: { detail: notCompleted } })
  })

  it('is not offered without a registration of the operator at the provider', async () => {
    const answer = await start(ann.token, 'outlook')
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^Signing in with this provider/) as string },
    })
  })

  it('requires an address', async () => {
    const body = { email_address: 'nobody', provider: 'gmail' }
    const answer = await server.call('POST', '/email/config/sign-in', { token: ann.token, body })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'email_address'] }] } })
  })

  it('H57 leaves no code, state or token in the log', async () => {
    const { code, state } = await comeBack(ann.token)
    await finish(ann.token, { code, state })
    for (const secret of [code, state, issuer.application.clientSecret]) expect(server.logged()).not.toContain(secret)
  })

  it('must be completed within a quarter of an hour', async () => {
    const given = await comeBack(ann.token)
    server.advance(16 * 60_000)
    const answer = await finish(ann.token, given)
    expect(answer).toMatchObject({ status: 400, body: { detail: notCompleted } })
  })
})

interface Back {
  code: string
  state: string
}
