import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

const refusal = '535 5.7.8 Bad credentials' as const

/** The mail server's behaviour at a sign-in; it accepts all by default. */
let onLogin: (password: string) => Promise<typeof refusal | undefined>
let sink: SmtpSink
let server: TestServer
let user: TestUser
let mailboxId: string
let secretKey: string

beforeAll(async () => {
  sink = await startSmtpSink({ onLogin: (_user, password) => onLogin(password) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const connect = (app_password: string) =>
  server.call('POST', '/email/config', {
    token: user.token,
    body: {
      email_address: 'ann@example.com',
      provider: 'other',
      app_password,
      smtp_host: '127.0.0.1',
      smtp_port: sink.port,
      smtp_security: 'none',
    },
  })
const status = async () => {
  const [row] = await server.sql<{ status: string }>('select status from email_configs where id = $1', [mailboxId])
  return row?.status
}
const send = (to: string) =>
  server.call('POST', `/api/send-mail/${secretKey}`, {
    body: { recipient_list: [to], subject: 'Hello', content: 'Good morning.' },
  })

beforeEach(async () => {
  onLogin = () => Promise.resolve(undefined)
  const { status: answered, body } = await connect('first')
  expect(answered).toBeLessThan(300)
  const config = body as { id: string; secret_key: string }
  mailboxId = config.id
  secretKey = config.secret_key
})
afterEach(() => sink.hangUp())

describe('a mailbox whose password the mail server refuses', () => {
  it('is paused', async () => {
    onLogin = () => Promise.resolve(refusal)
    await send('bob@example.com')
    await expect.poll(status).toBe('paused')
  })

  it('is not paused for a password that its owner has replaced: the mail is sent with the new one', async () => {
    const passwords: string[] = []
    onLogin = async (password) => {
      passwords.push(password)
      if (password === 'second') return undefined
      // The owner replaces it before the mail server responds.
      expect((await connect('second')).status).toBeLessThan(300)
      return refusal
    }
    await send('eve@example.com')
    await expect.poll(() => sink.recipients()).toContain('eve@example.com')
    expect([passwords[0], passwords.at(-1), await status()]).toEqual(['first', 'second', 'active'])
  })
})
