import { expect, vi } from 'vitest'
import type { IncomingKind } from '../../contract/inbox/inbox.limits.ts'
import type { SandboxMessage } from '../../contract/mail/sandbox.ts'
import type { ReplySummary } from '../../contract/inbox/reply.ts'
import { createUser, type TestUser } from './accounts.ts'
import type { TestServer } from './server.ts'

/** A workspace whose sandbox mailbox is read. */
export interface ReadingWorkspace {
  token: string
  mailboxId: string
  secretKey: string
}

/** Turns reading of a mailbox on, and waits until it is read. */
export async function turnReadingOn(server: TestServer, token: string, mailboxId: string): Promise<void> {
  const answer = await server.call('PATCH', `/email/configs/${mailboxId}`, { token, body: { reading: true } })
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
  const readState = async () => {
    const { body } = await server.call('GET', `/email/configs/${mailboxId}/reading`, { token })
    expect(body.state).toMatch(/live|polling/)
  }
  await vi.waitFor(readState, { timeout: 40_000, interval: 50 })
}

/** Sends a mail to one person and waits for it. */
export async function sendTo(
  server: TestServer,
  { secretKey }: ReadingWorkspace,
  recipient: string,
  subject = 'Doors open',
): Promise<SandboxMessage> {
  const body = { recipient_list: [recipient], subject, content: '<p>Come at six.</p>' }
  const answer = await server.call('POST', `/api/send-mail/${secretKey}`, { body })
  expect(answer.status).toBe(200)
  const [mail] = await server.mailsTo(recipient)
  return mail!
}

/** Puts an answer to a mail into the sandbox's mailbox. */
export async function answerWith(server: TestServer, mail: SandboxMessage, kind: IncomingKind): Promise<void> {
  const answer = await server.call('POST', `/sandbox/messages/${mail.id}/answer`, { body: { kind } })
  expect(answer.status).toBe(204)
}

/** Waits until a list of replies has so many rows. */
export async function repliesOf(server: TestServer, token: string, count: number, query = ''): Promise<ReplySummary[]> {
  let rows: ReplySummary[] = []
  await expect
    .poll(async () => {
      rows = (await server.call('GET', `/email/replies${query}`, { token })).body as ReplySummary[]
      return rows.length
    })
    .toBe(count)
  return rows
}

/** A campaign to these people from the sandbox mailbox, when its mails have arrived. */
export interface SentCampaign {
  id: string
  /** The mail to each of them, by address. */
  mails: ReadonlyMap<string, SandboxMessage>
}

/** Launches a campaign to these people from the sandbox mailbox and waits for its mails. */
export async function launchTo(
  server: TestServer,
  { token, mailboxId }: Omit<ReadingWorkspace, 'secretKey'>,
  recipients: readonly string[],
  { subject = 'Doors open', body = '<p>Come at six.</p>', isWaiting = true } = {},
): Promise<SentCampaign> {
  const campaign = { name: subject, subject, body, config_id: mailboxId, recipients }
  const made = await server.call('POST', '/email/campaign', { token, body: campaign })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  const { id } = made.body as { id: string }
  const launched = await server.call('POST', `/email/campaign/${id}/launch`, { token, body: {} })
  expect([launched.status, launched.text]).toEqual([200, expect.anything()])
  const mails = new Map<string, SandboxMessage>()
  for (const address of isWaiting ? recipients : []) mails.set(address, (await server.mailsTo(address))[0]!)
  return { id, mails }
}

/** A mail that arrives in the sandbox's mailbox. `headers`: lines without CRLF. */
export interface IncomingMail {
  from: string
  subject?: string
  headers?: readonly string[]
  text?: string
  folder?: 'INBOX' | 'Junk' | 'Sent'
}

let incomingCount = 0

/** Puts a mail into the mailbox that the sandbox reads; gives its Message-ID. */
export function receive(
  server: TestServer,
  { from, subject = 'Re: Doors open', headers = [], text = 'Thank you.', folder = 'INBOX' }: IncomingMail,
): string {
  const messageId = headers.some((line) => /^message-id:/i.test(line)) ? '' : `<in.${++incomingCount}@mail.example.org>`
  const lines = [
    `From: ${from}`,
    'To: sandbox@localhost',
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString()}`,
    ...(messageId === '' ? [] : [`Message-ID: ${messageId}`]),
    ...headers,
    ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    '',
    ...text.split('\n'),
    '',
  ]
  const { sandboxMailbox } = server.server
  sandboxMailbox!.append(folder, Buffer.from(lines.join('\r\n')), new Date())
  return messageId
}

/** The header lines of an answer to a mail. */
export const answerTo = (mail: SandboxMessage): string[] => [
  `In-Reply-To: ${mail.headers['message-id']!}`,
  `References: ${mail.headers['message-id']!}`,
]

/** Waits until everything that lies in the mailbox was read, and its events were counted. */
export async function readAll(server: TestServer, { token, mailboxId }: ReadingWorkspace): Promise<void> {
  const folders = [...server.server.sandboxMailbox!.folders.values()]
  await expect
    .poll(async () => {
      // Folders other than INBOX are due every two minutes.
      await server.sql('update mailbox_readers set check_requested_at = now() where config_id = $1', [mailboxId])
      const rows = await server.sql<{ folder: string; last: string }>(
        'select folder, last_uid as last from mailbox_folders where config_id = $1',
        [mailboxId],
      )
      return folders.filter(({ name, uidNext }) => {
        const row = rows.find(({ folder }) => folder === name)
        return row === undefined || Number(row.last) < uidNext - 1
      }).length
    })
    .toBe(0)
  expect((await server.call('GET', `/email/configs/${mailboxId}/reading`, { token })).status).toBe(200)
  await expect
    .poll(async () => {
      const [row] = await server.sql<{ count: string }>(
        'select count(*) as count from event_inbox i join email_configs c on c.workspace_id = i.workspace_id where c.id = $1',
        [mailboxId],
      )
      return Number(row!.count)
    })
    .toBe(0)
}

/** A new workspace whose sandbox mailbox is read, and which may launch campaigns. */
export async function startReading(server: TestServer): Promise<TestUser> {
  const user = await createUser(server)
  const place = { postal_address: 'Main Street 1, Bristol' }
  expect((await server.call('PATCH', '/workspace', { token: user.token, body: place })).status).toBe(200)
  await turnReadingOn(server, user.token, user.mailboxId)
  return user
}
