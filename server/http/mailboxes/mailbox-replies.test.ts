import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../../contract/mail/config.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

type Reply = `${number} ${string}`

let sink: SmtpSink
let server: TestServer
let user: TestUser
let loginReply: Reply | undefined
let recipientReply: Reply | undefined

beforeAll(async () => {
  sink = await startSmtpSink({ onLogin: () => loginReply, onRecipient: () => recipientReply })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})
beforeEach(async () => {
  loginReply = undefined
  recipientReply = undefined
  user = await createUser(server)
})

const wait = { interval: 50 }
let personCount = 0
const people = (count: number) => Array.from({ length: count }, () => `replied${++personCount}@example.com`)

/** Connects a mailbox at the scripted mail server, or connects it again. */
async function connect(address: string): Promise<Config & { secret_key: string }> {
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const body = { email_address: address, provider: 'other', app_password: 'x', ...at }
  const { body: config } = await server.call('POST', '/email/config', { token: user.token, body })
  return config as Config & { secret_key: string }
}

const mailbox = async (id: string) => {
  const { body } = await server.call('GET', '/email/configs', { token: user.token })
  return (body as Config[]).find((config) => config.id === id)
}
/** The end of its pause, in milliseconds; null if it waits for its owner. */
const restsUntil = async (id: string) => {
  const [row] = await server.sql<{ at: Date | null }>('select paused_until as at from email_configs where id = $1', [
    id,
  ])
  return row?.at?.getTime() ?? null
}
const resumesLater = expect.stringContaining('Sending resumes automatically later')
const mail = (recipients: readonly string[]) => ({ recipient_list: recipients, subject: 'Hi', content: '<p>Hi</p>' })
const send = (secretKey: string, recipients: readonly string[]) =>
  server.call('POST', `/api/send-mail/${secretKey}`, { body: mail(recipients) })
const sendAndWait = (secretKey: string, recipients: readonly string[]) =>
  server.call('POST', `/email/send-mail/${secretKey}`, { token: user.token, body: mail(recipients) })
const deliveries = (recipient: string) =>
  server.sql('select state, attempts from deliveries where recipient = $1', [recipient])

describe('a send whose mailbox has wrong credentials', () => {
  it('TRIAL-15 returns 502 for 10 recipients and 200 at the commit for 11', async () => {
    const [first, second] = [await connect('ten@example.com'), await connect('eleven@example.com')]
    loginReply = '535 5.7.8 Bad credentials'
    const refused = await sendAndWait(first.secret_key, people(10))
    expect([refused.status, refused.body.detail]).toEqual([502, expect.stringMatching(/password/i)])
    const taken = await sendAndWait(second.secret_key, people(11))
    expect([taken.status, taken.body.accepted]).toEqual([200, 11])
    await expect.poll(async () => (await mailbox(second.id))?.status, wait).toBe('paused')
  })
})

describe('a reply about the mailbox', () => {
  it('TRIAL-17 550 5.1.90 pauses it for a time; the recipient is neither failed nor suppressed', async () => {
    const { id, secret_key: secretKey } = await connect('daily.limit@example.com')
    const [recipient] = people(1) as [string]
    recipientReply = '550 5.1.90 You have reached your daily limit of recipients'
    expect((await send(secretKey, [recipient])).status).toBe(200)
    await expect.poll(() => mailbox(id), wait).toMatchObject({ status: 'paused', pause_reason: resumesLater })
    expect(await restsUntil(id)).toBeGreaterThan(Date.now())
    await expect.poll(() => deliveries(recipient), wait).toEqual([{ state: 'queued', attempts: 0 }])
    expect((await server.call('GET', '/email/suppressions', { token: user.token })).body).toEqual([])

    recipientReply = undefined
    await server.sql('update email_configs set paused_until = now() where id = $1', [id])
    await expect.poll(() => deliveries(recipient), wait).toEqual([{ state: 'sent', attempts: 1 }])
  })

  it('TRIAL-18 538 pauses it with a reason; the recipient is not failed', async () => {
    const encryptFirst: Reply = '538 5.7.11 Encryption required'
    for (const phase of ['login', 'recipient']) {
      const address = `${phase}.first@example.com`
      const { id, secret_key: secretKey } = await connect(address)
      const [recipient] = people(1) as [string]
      if (phase === 'login') loginReply = encryptFirst
      else recipientReply = encryptFirst
      expect((await send(secretKey, [recipient])).status).toBe(200)
      const reason = expect.stringContaining(encryptFirst)
      await expect.poll(() => mailbox(id), wait).toMatchObject({ status: 'paused', pause_reason: reason })
      expect(await restsUntil(id)).toBeNull()
      await expect.poll(() => deliveries(recipient), wait).toEqual([{ state: 'queued', attempts: 0 }])

      loginReply = undefined
      recipientReply = undefined
      await connect(address)
      await expect.poll(() => deliveries(recipient), wait).toEqual([{ state: 'sent', attempts: 1 }])
    }
  })
})
