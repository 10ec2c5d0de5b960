import { createConnection } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compileMessage } from '../../server/mailer/mime/mime.ts'
import { startSandboxServer, type SandboxServer } from '../../server/mailer/smtp/sandbox-server.ts'
import { SmtpError } from '../../server/mailer/smtp/smtp-error.ts'
import { openSession } from '../../server/mailer/smtp/smtp-session.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { createSandboxMessageStore } from '../../server/store/sandbox/sandbox-message.ts'
import { messageContent } from '../support/message-content.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { silentLog } from '../support/silent-log.ts'
import { startSession, type TestSession } from '../support/smtp-client.ts'
import { systemScope } from '../support/scope.ts'
import { bindScope } from '../../server/domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>
let sandbox: SandboxServer
const open: TestSession[] = []

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  sandbox = await startSandboxServer({
    inbox: bindScope(createSandboxMessageStore(database.pool), systemScope),
    log: silentLog,
  })
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.quit()))
})

afterAll(async () => {
  await sandbox.close()
  await database.close()
  await drop()
})

async function connect(login = { user: 'sandbox@localhost', pass: 'any' }): Promise<TestSession> {
  const endpoint = { host: '127.0.0.1', port: sandbox.port, security: 'none', isTrusted: true } as const
  const session = startSession(await openSession(endpoint, login, AbortSignal.timeout(5000)))
  open.push(session)
  return session
}

describe('the sandbox', () => {
  it('stores a mail in decoded form: subject, HTML, text and headers, and its source', async () => {
    const template = compileMessage(
      messageContent({
        fromAddress: 'sandbox@localhost',
        subject: 'Grüße an {{name}} 🎉',
        content: '<p>Hällo <b>{{name}}</b></p>',
        context: { name: 'Bob & Söhne' },
      }),
    )
    const mail = template.build({ id: 7, recipient: 'Bob@example.com', context: null }, new Date(0)).bytes
    const session = await connect()
    expect(await session.send({ from: 'sandbox@localhost', to: 'Bob@example.com' }, mail, () => {})).toMatch(/^250 /)

    const [kept] = await bindScope(createSandboxMessageStore(database.pool), systemScope).list({
      to: 'bob@example.com',
      limit: 1,
    })
    expect(kept).toMatchObject({
      from: 'sandbox@localhost',
      to: ['bob@example.com'],
      subject: 'Grüße an Bob & Söhne 🎉',
      text: expect.stringMatching(/^Hällo Bob & Söhne\s*$/) as string,
    })
    expect(kept?.html).toContain('<p>Hällo <b>Bob &amp; Söhne</b></p>')
    expect(kept?.headers).toMatchObject({
      subject: 'Grüße an Bob & Söhne 🎉',
      from: 'sandbox@localhost',
      to: 'Bob@example.com',
      'message-id': '<0190a1b2.7@localhost>',
      date: 'Thu, 01 Jan 1970 00:00:00 +0000',
      'mime-version': '1.0',
    })
    expect(kept?.headers['content-type']).toMatch(/^multipart\/alternative; boundary=/)
    expect(kept?.raw).toContain('Message-ID: <0190a1b2.7@localhost>')
  })

  it('stores plain text without HTML, and HTML without text', async () => {
    const session = await connect()
    const send = (type: string) =>
      session.send(
        { from: 'a@example.com', to: 'plain@example.com' },
        Buffer.from(`Subject: ${type}\r\nContent-Type: text/${type}\r\n\r\n<b>x</b>\r\n`),
        () => {},
      )
    await send('plain')
    await send('html')
    const kept = await bindScope(createSandboxMessageStore(database.pool), systemScope).list({
      to: 'plain@example.com',
      limit: 2,
    })
    expect(kept.map(({ html, text }) => [html?.trim(), text?.trim()])).toEqual([
      ['<b>x</b>', undefined],
      [undefined, '<b>x</b>'],
    ])
  })

  it('joins a header that occurs twice', async () => {
    const session = await connect()
    const raw = Buffer.from('X-A: one\r\nX-A: two\r\nSubject: h\r\n\r\nx')
    await session.send({ from: 'a@example.com', to: 'twice@example.com' }, raw, () => {})
    const [kept] = await bindScope(createSandboxMessageStore(database.pool), systemScope).list({
      to: 'twice@example.com',
      limit: 1,
    })
    expect(kept?.headers['x-a']).toBe('one, two')
  })

  it('accepts any password, or none', async () => {
    for (const pass of ['x', 'another']) await connect({ user: 'who@example.com', pass })
    const socket = createConnection(sandbox.port, '127.0.0.1')
    await once(socket, 'data')
    socket.write('EHLO me\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<none@example.com>\r\nDATA\r\n')
    await once(socket, 'data')
    socket.write('Subject: no login\r\n\r\nx\r\n.\r\nQUIT\r\n')
    socket.resume()
    await once(socket, 'close')
    const kept = await bindScope(createSandboxMessageStore(database.pool), systemScope).list({
      to: 'none@example.com',
      limit: 1,
    })
    expect(kept).toMatchObject([{ subject: 'no login' }])
  })

  it('waits for a database outage to end, and stores a mail once when the response was lost', async () => {
    const { rows } = await database.pool.query<{ count: number }>('select count(*) from sandbox_messages')
    const inbox = bindScope(createSandboxMessageStore(database.pool), systemScope)
    let callCount = 0
    const waiting = await startSandboxServer({
      inbox: {
        async insert(mail, isRetry) {
          callCount += 1
          if (callCount !== 2) await inbox.insert(mail, isRetry)
          if (callCount < 3) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
        },
      },
      log: silentLog,
    })
    const endpoint = { host: '127.0.0.1', port: waiting.port, security: 'none', isTrusted: true } as const
    const session = startSession(await openSession(endpoint, null, AbortSignal.timeout(5000)))
    const mail = Buffer.from('Subject: twice?\r\n\r\n')
    expect(await session.send({ from: 'a@example.com', to: 'b@example.com' }, mail, () => {})).toMatch(/^250 /)
    expect(callCount).toBe(3)
    const after = await database.pool.query<{ count: number }>('select count(*) from sandbox_messages')
    expect(after.rows[0]!.count).toBe(rows[0]!.count + 1)
    await session.quit()
    await waiting.close()
  })

  it('returns 451 and stores nothing when the database rejects a mail', async () => {
    const broken = await startSandboxServer({
      inbox: { insert: () => Promise.reject(new Error('disk full')) },
      log: silentLog,
    })
    const endpoint = { host: '127.0.0.1', port: broken.port, security: 'none', isTrusted: true } as const
    const session = startSession(await openSession(endpoint, null, AbortSignal.timeout(5000)))
    const sending = session.send(
      { from: 'a@example.com', to: 'b@example.com' },
      Buffer.from('Subject: x\r\n\r\n'),
      () => {},
    )
    const error = await sending.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SmtpError)
    expect((error as SmtpError).failure.reply).toMatch(/^451 /)
    await session.quit()
    await broken.close()
  })

  it('rejects mail over 42 MB, and announces the limit', async () => {
    const session = await connect()
    const huge = Buffer.alloc(45 * 1024 * 1024, 'x\r\n')
    const error = await session
      .send({ from: 'a@example.com', to: 'b@example.com' }, huge, () => {})
      .catch((thrown: unknown) => thrown)
    expect((error as SmtpError).failure).toMatchObject({ libraryCode: 'EMESSAGE', isHandedOver: false })
  })
})
