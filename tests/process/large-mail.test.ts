import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const call = async (server: ServerProcess, method: string, path: string, body: object, token?: string) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
const post = (server: ServerProcess, path: string, body: object, token?: string) =>
  call(server, 'POST', path, body, token)

/** A mailbox at the sink, and the token of a member who may use it. */
async function connectSink(server: ServerProcess, sink: SmtpSink) {
  const [, email, password] = /email +(\S+)\n +password +(\S+)/.exec(server.printed().out)!
  const { body: session } = await post(server, '/auth/login', { email, password })
  const mailbox = {
    email_address: 'studio@northwind.example',
    provider: 'other',
    app_password: 'x',
    smtp_host: '127.0.0.1',
    smtp_port: sink.port,
    smtp_security: 'none',
  }
  const { body: config } = await post(server, '/email/config', mailbox, session['access_token'])
  return { key: config['secret_key']!, mailboxId: config['id']!, token: session['access_token']! }
}

/** The longest block of the server's event loop in seconds since the last call. */
async function longestStall(server: ServerProcess): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^sendwright_event_loop_lag_seconds\{quantile="1"\} (\S+)$/m.exec(text)![1])
}

/** A conversion on the main thread would block for its limit of two seconds; a busy machine delays for tenths of a second. */
const blockedSeconds = 1.5

// Unclosed nested elements: with layout this takes minutes.
const endless = '<p>'.repeat(4000) + '<b>x</p>'.repeat(110_000)

describe('a mail of 900 kB', () => {
  it('TRIAL-40 whose HTML exceeds the time limit of the conversion is sent with a text part, while other calls are answered', async () => {
    const sink = await startSmtpSink()
    await using folder = await temporaryFolder()
    const environment = { PORT: '0', DATA_DIR: join(folder.path, 'data'), SMTP_ALLOW: `127.0.0.1:${sink.port}` }
    await using server = await startServerProcess({ environment })
    const { key } = await connectSink(server, sink)
    await longestStall(server)
    expect(endless.length).toBeGreaterThan(880_000)
    const sent = await post(server, `/api/send-mail/${key}`, {
      recipient_list: ['a@example.com'],
      subject: 'Large',
      content: endless,
      is_html: true,
    })
    expect(sent.status).toBe(200)
    await expect
      .poll(
        async () => {
          expect((await fetch(`${server.url}/ready`)).status).toBe(200)
          return sink.mails.length
        },
        { timeout: 60_000, interval: 50 },
      )
      .toBe(1)
    const stall = await longestStall(server)
    const [mail] = await sink.parsed()
    expect(mail?.text?.match(/x/g)).toHaveLength(110_000)
    expect(mail?.html).toContain('<p><p><p>')
    expect(server.printed().err + server.printed().out).toContain(
      'The text part of a large mail is created without layout',
    )
    expect(stall).toBeLessThan(blockedSeconds)
    await sink.close()
  })

  it('of a campaign is sent with its text part and its link, while other calls are answered', async () => {
    const sink = await startSmtpSink()
    await using folder = await temporaryFolder()
    const environment = { PORT: '0', DATA_DIR: join(folder.path, 'data'), SMTP_ALLOW: `127.0.0.1:${sink.port}` }
    await using server = await startServerProcess({ environment })
    const { mailboxId, token } = await connectSink(server, sink)
    await call(server, 'PATCH', '/workspace', { postal_address: '1 Main Street' }, token)
    const recipients = ['a@example.com', 'b@example.com', 'c@example.com']
    const draft = { config_id: mailboxId, subject: 'Large', body: endless, recipients }
    const { body: campaign } = await post(server, '/email/campaign', draft, token)
    expect((await post(server, `/email/campaign/${campaign['id']}/launch`, {}, token)).status).toBe(200)
    await longestStall(server)
    await expect
      .poll(
        async () => {
          expect((await fetch(`${server.url}/ready`)).status).toBe(200)
          return sink.mails.length
        },
        { timeout: 60_000, interval: 50 },
      )
      .toBe(3)
    const stall = await longestStall(server)
    const raw = sink.mails.map((mail) => mail.raw.toString('latin1'))
    const links = raw.map((text) => /^List-Unsubscribe: <(\S+)>/m.exec(text)?.[1])
    expect(new Set(links).size).toBe(3)
    const [mail] = await sink.parsed()
    expect(mail?.text).toContain(links[0])
    // The link's token is random and may contain an x.
    expect(mail?.text?.replaceAll(links[0]!, '').match(/x/g)).toHaveLength(110_000)
    const left = await fetch(links[0]!, { method: 'POST' })
    expect([left.status, await left.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')])
    expect(stall).toBeLessThan(blockedSeconds)
    await sink.close()
  })
})
