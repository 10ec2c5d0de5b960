import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBearerLogin } from '../../server/mailer/queue/bearer-login.ts'
import { createOAuthClient, type OAuthClient } from '../../server/oidc/oauth-client.ts'
import { SmtpError } from '../../server/mailer/smtp/smtp-error.ts'
import { openSession, type SmtpLogin } from '../../server/mailer/smtp/smtp-session.ts'
import type { MailboxTokens } from '../../server/domain/mailboxes/mailbox-tokens.ts'
import { diagnose } from '../../server/domain/smtp/mailbox-diagnosis.ts'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts'
import { scopeOf } from '../support/scope.ts'
import { senderMailboxes } from '../../server/compose/core/sender.ts'
import type { Scope } from '../../server/domain/auth/scope.ts'

const redirectUrl = 'http://127.0.0.1:4000/dashboard/email_config'
const undo: (() => unknown)[] = []
let issuer: TokenIssuer
let oauth: OAuthClient
let database: Database
let mailboxes: ReturnType<typeof createMailboxStore>
let port: number
let offsetMs = 0
/** Access tokens that the mail server received. */
const shown: string[] = []
const nowMs = () => Date.now() + offsetMs

beforeAll(async () => {
  issuer = await startTokenIssuer(redirectUrl)
  oauth = createOAuthClient({ gmail: issuer.application, outlook: null }, redirectUrl, nowMs)
  const folder = await temporaryFolder()
  const test = await createTestDatabase()
  database = openDatabase(test.connection, () => undefined)
  mailboxes = createMailboxStore(database, await openVault(database.pool, join(folder.path, 'k')), () => new Date())
  const server = new SMTPServer({
    authMethods: ['XOAUTH2'],
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, accessToken = '' }, _session, done) {
      shown.push(accessToken)
      void issuer.accountOf(accessToken).then((account) => {
        if (account !== null && account === username) done(null, { user: account })
        else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } })
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  port = (server.server.address() as AddressInfo).port
  undo.push(
    () => folder[Symbol.asyncDispose](),
    test.drop,
    () => database.close(),
    () => issuer[Symbol.asyncDispose](),
    () => new Promise<void>((done) => server.close(done)),
  )
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

/** Tokens after a sign-in and consent. */
async function signInAtIssuer(): Promise<MailboxTokens> {
  const codeVerifier = oauth.newCodeVerifier()
  const url = await oauth.start('gmail', { emailAddress: 'ann@example.com', state: 'st4te', codeVerifier })
  const back = await issuer.agree(url)
  expect(back.get('state')).toBe('st4te')
  const tokens = await oauth.finish('gmail', { code: back.get('code') ?? '', codeVerifier })
  expect(tokens).not.toBeNull()
  return tokens!
}

let scope: Scope

async function connectedMailbox() {
  const workspaceId = randomUUID()
  await database.pool.query('insert into workspaces (id, name) values ($1, $$W$$)', [workspaceId])
  scope = scopeOf(workspaceId)
  const { id } = await mailboxes.save(scope, {
    id: randomUUID(),
    emailAddress: 'ann@example.com',
    provider: 'gmail',
    server: null,
    appPassword: null,
    tokens: await signInAtIssuer(),
    secretKey: `ck_${randomUUID()}`,
  })
  return id
}

/** As the sender does before each connection. */
async function loginOf(id: string): Promise<SmtpLogin | null> {
  const secrets = await mailboxes.findSecrets(scope, id)
  return createBearerLogin({ oauth, mailboxes: senderMailboxes(mailboxes), nowMs })(secrets!, secrets!.tokens!)
}

const open = (login: SmtpLogin | null) =>
  openSession({ host: '127.0.0.1', port, security: 'none', isTrusted: true }, login, AbortSignal.timeout(10_000))
const signIn = async (login: SmtpLogin | null) => (await open(login)).quit()
const pauseOf = async (id: string) => {
  const { rows } = await database.pool.query<{ status: string; reason: string | null }>(
    'select status, pause_reason as reason from email_configs where id = $1',
    [id],
  )
  return rows[0]
}

describe('a mailbox connected at its provider', () => {
  it("signs in with the access token from its owner's consent", async () => {
    const id = await connectedMailbox()
    await signIn(await loginOf(id))
    const secrets = await mailboxes.findSecrets(scope, id)
    expect(shown.at(-1)).toBe(secrets!.tokens!.accessToken)
    expect(secrets!.appPassword).toBeNull()
  })

  it('H24 stores its tokens in no column in plaintext', async () => {
    const id = await connectedMailbox()
    const { tokens } = (await mailboxes.findSecrets(scope, id))!
    const { rows } = await database.pool.query<{ row: string }>('select c::text as row from email_configs c')
    const stored = rows.map(({ row }) => row).join()
    for (const secret of [tokens!.accessToken, tokens!.refreshToken]) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  it('renews its access token before it expires, once for concurrent requests', async () => {
    const id = await connectedMailbox()
    const before = (await mailboxes.findSecrets(scope, id))!.tokens!
    const countBefore = issuer.renewalCount
    offsetMs += 56 * 60_000
    const logins = await Promise.all([loginOf(id), loginOf(id), loginOf(id)])
    offsetMs -= 56 * 60_000
    const tokens = new Set(logins.map((login) => login?.pass))
    expect(tokens.size).toBe(1)
    expect(tokens).not.toContain(before.accessToken)
    expect(issuer.renewalCount - countBefore).toBe(1)
    await signIn(logins[0] ?? null)
    const after = (await mailboxes.findSecrets(scope, id))!.tokens!
    expect(after.refreshToken).not.toBe(before.refreshToken)
  })

  it('requests another token once when the mail server rejects the current one', async () => {
    const id = await connectedMailbox()
    const secrets = (await mailboxes.findSecrets(scope, id))!
    const worn = { ...secrets.tokens!, accessToken: 'worn-out' }
    await mailboxes.renewTokens(scope, id, secrets.tokens!, () => Promise.resolve(worn))
    const login = await loginOf(id)
    expect(login?.pass).toBe('worn-out')
    await signIn(login)
    expect(shown.at(-2)).toBe('worn-out')
    expect((await mailboxes.findSecrets(scope, id))!.tokens!.accessToken).toBe(shown.at(-1))
  })

  it('is paused with the reason once the consent is withdrawn, and nothing is sent to the mail server', async () => {
    const id = await connectedMailbox()
    await issuer.withdrawAll()
    offsetMs += 56 * 60_000
    const shownBefore = shown.length
    expect(await loginOf(id)).toBeNull()
    offsetMs -= 56 * 60_000
    expect(await pauseOf(id)).toEqual({
      status: 'paused',
      reason: expect.stringMatching(/revoked the permission.*Connect the mailbox again/) as string,
    })
    expect(shown.length).toBe(shownBefore)
  })

  it('is not paused while the provider only fails to respond', async () => {
    const id = await connectedMailbox()
    issuer.isUp = false
    offsetMs += 56 * 60_000
    await expect(loginOf(id)).rejects.toThrow()
    issuer.isUp = true
    expect(await loginOf(id)).not.toBeNull()
    offsetMs -= 56 * 60_000
    expect((await pauseOf(id))?.status).toBe('active')
  })

  it('is refused with a remedy, without the token, when the account is another one', async () => {
    const { accessToken } = await signInAtIssuer()
    const login = { user: 'bob@example.com', pass: accessToken, renew: () => Promise.resolve(accessToken) }
    const error: unknown = await open(login).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SmtpError)
    const { failure } = error as SmtpError
    const reported = diagnose({
      provider: 'gmail',
      emailAddress: 'bob@example.com',
      smtpFailure: failure,
      secrets: [accessToken],
    })
    expect(reported).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/exactly this mailbox/) as string,
    })
    expect(JSON.stringify(reported)).not.toContain(accessToken)
  })

  it('cannot be completed with a used code, or with one of another sign-in', async () => {
    const [codeVerifier, other] = [oauth.newCodeVerifier(), oauth.newCodeVerifier()]
    const url = await oauth.start('gmail', { emailAddress: 'ann@example.com', state: 's', codeVerifier })
    const code = (await issuer.agree(url)).get('code') ?? ''
    expect(await oauth.finish('gmail', { code, codeVerifier: other })).toBeNull()
    expect(await oauth.finish('gmail', { code: 'made-up', codeVerifier })).toBeNull()
  })
})
