import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Reading } from '../../../contract/inbox/reading.ts'
import type { ReplySummary } from '../../../contract/inbox/reply.ts'
import { createUser } from '../accounts.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from '../smtp-sink.ts'
import type { LeftMail } from './incoming.ts'
import { startScriptedImap, type ScriptedImap } from './scripted-imap.ts'

/** The real server with a mail server, and scripted IMAP servers that tests take in turn. */
export interface ImapWorld extends AsyncDisposable {
  server: TestServer
  sink: SmtpSink
  /** A mailbox of a new workspace on a fresh IMAP server, or on the given one. */
  mailbox: (imap?: ScriptedImap) => Promise<ReadMailbox>
  /** An IMAP server that no other test uses. */
  takeImap: () => ScriptedImap
}

/** A connected mailbox and its IMAP server. */
export interface ReadMailbox {
  token: string
  email: string
  password: string
  id: string
  address: string
  secretKey: string
  imap: ScriptedImap
  change: (body: object) => ReturnType<TestServer['call']>
  turnOn: () => Promise<void>
  reading: () => Promise<Reading>
  /** Sends a mail to one person, and waits until the mail server has taken it. */
  send: (recipient?: string, subject?: string) => Promise<LeftMail>
  replies: (query?: string) => Promise<ReplySummary[]>
  suppressions: () => Promise<{ id: string; email: string; reason: string; detail: string | null }[]>
  /** Waits until so many mails have been seen since reading began. */
  seen: (count: number) => Promise<void>
}

const imapCount = 40

/** Starts all of it. `environment`: further settings. */
export async function startImapWorld(
  environment: Record<string, string> = {},
  sinkOptions: SinkOptions = {},
): Promise<ImapWorld> {
  const sink = await startSmtpSink(sinkOptions)
  const imaps = await Promise.all(Array.from({ length: imapCount }, () => startScriptedImap()))
  const server = await startTestServer({
    SMTP_ALLOW: `127.0.0.1:${sink.port}`,
    IMAP_ALLOW: [...imaps.map(({ port }) => `127.0.0.1:${port}`), ...(environment['IMAP_ALLOW'] ?? '').split(',')]
      .filter((text) => text !== '')
      .join(','),
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => name !== 'IMAP_ALLOW')),
  })
  let next = 0

  const takeImap = () => {
    const imap = imaps[next++]
    if (imap === undefined) throw new Error(`The tests of one world share ${imaps.length} IMAP servers.`)
    return imap
  }

  return {
    server,
    sink,
    takeImap,
    async mailbox(imap = takeImap()) {
      const { token, email, password } = await createUser(server)
      const address = `studio.${randomBytes(4).toString('hex')}@example.com`
      const connected = await server.call('POST', '/email/config', {
        token,
        body: {
          email_address: address,
          provider: 'other',
          app_password: 'app password',
          smtp_host: '127.0.0.1',
          smtp_port: sink.port,
          smtp_security: 'none',
        },
      })
      expect([connected.status, connected.text]).toEqual([201, expect.anything()])
      return mailboxOf({ server, sink }, imap, { token, email, password, address, ...idsOf(connected.body) })
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await Promise.all([sink.close(), ...imaps.map((imap) => imap.close())])
    },
  }
}

const idsOf = (body: unknown) => {
  const { id, secret_key: secretKey } = body as { id: string; secret_key: string }
  return { id, secretKey }
}

function mailboxOf(
  { server, sink }: Pick<ImapWorld, 'server' | 'sink'>,
  imap: ScriptedImap,
  mailbox: Pick<ReadMailbox, 'token' | 'email' | 'password' | 'address' | 'id' | 'secretKey'>,
): ReadMailbox {
  const { token, id, secretKey } = mailbox
  const get = async <T>(path: string) => (await server.call('GET', path, { token })).body as T
  const change = (body: object) => server.call('PATCH', `/email/configs/${id}`, { token, body })
  const reading = () => get<Reading>(`/email/configs/${id}/reading`)
  return {
    ...mailbox,
    imap,
    change,
    reading,
    async turnOn() {
      const body = { reading: true, imap_host: '127.0.0.1', imap_port: imap.port, imap_security: 'none' }
      const answer = await change(body)
      expect([answer.status, answer.text]).toEqual([200, expect.anything()])
      await expect.poll(async () => (await reading()).state).toMatch(/live|polling/)
    },
    async send(recipient = `ann.${randomBytes(4).toString('hex')}@example.org`, subject = 'Doors open') {
      const body = { recipient_list: [recipient], subject, content: '<p>Come at six.</p>' }
      const answer = await server.call('POST', `/api/send-mail/${secretKey}`, { body })
      expect([answer.status, answer.text]).toEqual([200, expect.anything()])
      const { id } = answer.body as { id: string }
      const headerOf = () => {
        for (const { raw } of sink.mails) {
          const header = /^message-id:\s*(<[^>]+>)/im.exec(raw.toString('latin1'))?.[1] ?? ''
          if (header.startsWith(`<${id}.`)) return header
        }
        return ''
      }
      await expect.poll(headerOf).not.toBe('')
      await expect
        .poll(() => server.sql(`select from deliveries where message_id = $1 and state = 'sent'`, [id]))
        .toHaveLength(1)
      return { recipient, subject, messageId: headerOf() }
    },
    replies: (query = '') => get<ReplySummary[]>(`/email/replies${query}`),
    suppressions: () => get('/email/suppressions'),
    async seen(count) {
      await expect.poll(async () => (await reading()).counts.seen).toBe(count)
    },
  }
}
