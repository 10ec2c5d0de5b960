import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Message } from '../../contract/mail/message.ts'
import { createServerHome } from '../support/server-home.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startSinkProcess } from '../support/sink-process.ts'

const recipientCount = 500
const killCount = 10
/** The count of mails before each kill. */
const mailsPerLife = 40
const connectionCount = 3

async function call<T>(url: string, token: string | null, body?: unknown): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Signs in to the demo workspace and connects a mailbox that submits mail to this port. */
async function connectMailbox({ url, printed }: ServerProcess, port: number): Promise<{ token: string; key: string }> {
  const [, email, password] = /email {5}(\S+)\s+password {2}(\S+)/.exec(printed().out) ?? []
  const { access_token: token } = await call<{ access_token: string }>(`${url}/auth/login`, null, { email, password })
  const { secret_key: key } = await call<{ secret_key: string }>(`${url}/email/config`, token, {
    email_address: 'ann@example.com',
    provider: 'other',
    app_password: 'any',
    smtp_host: '127.0.0.1',
    smtp_port: port,
    smtp_security: 'none',
  })
  return { token, key }
}

it('kill -9 ten times during a send: every recipient got it exactly once or is shown as unknown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendwright-sink-'))
  try {
    await using sink = await startSinkProcess(join(folder, 'mails'), 8)
    await using home = await createServerHome({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
    let server = await home.start()
    const { token, key } = await connectMailbox(server, sink.port)
    const recipients = Array.from({ length: recipientCount }, (_, at) => `person${at}@example.com`)
    const { id } = await call<{ id: string }>(`${server.url}/api/send-mail/${key}`, null, {
      recipient_list: recipients,
      subject: 'Hi {{name}}',
      content: 'Hello {{name}}',
      context: { name: 'you' },
    })

    for (let life = 1; life <= killCount; life++) {
      const enough = (await sink.read()).length + mailsPerLife
      while ((await sink.read()).length < enough) await sleep(5)
      // Vary the point of the SMTP session.
      await sleep(2 * life)
      await server.end('SIGKILL')
      server = await home.start()
    }

    const read = () => call<Message>(`${server.url}/email/messages/${id}?limit=${recipientCount}`, token)
    await expect
      .poll(async () => (await read()).counts, { timeout: 60_000, interval: 200 })
      .toMatchObject({ queued: 0, sending: 0 })
    const message = await read()
    const received = (await sink.read()).flatMap(({ to }) => to)
    const timesReceived = new Map(recipients.map((recipient) => [recipient, 0]))
    for (const recipient of received) timesReceived.set(recipient, (timesReceived.get(recipient) ?? NaN) + 1)

    expect(message.deliveries.map(({ recipient }) => recipient)).toEqual(recipients)
    const wrong = message.deliveries.filter(({ recipient, state }) => {
      const times = timesReceived.get(recipient) ?? 0
      return state === 'unknown' ? times > 1 : state !== 'sent' || times !== 1
    })
    expect(wrong).toEqual([])
    expect(message.counts.unknown).toBeLessThanOrEqual(killCount * connectionCount)
    expect(message.counts.sent + message.counts.unknown).toBe(recipientCount)
    const messageIds = (await sink.read()).map(({ messageId }) => messageId)
    expect(new Set(messageIds).size).toBe(received.length)
    expect(await server.end('SIGTERM')).toBe(0)
    // Journals of killed processes may be kept for a minute; nothing of this run is unknown.
    expect((await readdir(join(home.path, 'journal'))).length).toBeLessThanOrEqual(killCount)
  } finally {
    await rm(folder, { recursive: true })
  }
}, 600_000)
