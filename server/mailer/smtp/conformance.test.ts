import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createAuthority } from '../../../tests/support/certificate.ts'
import { messageContent } from '../../../tests/support/message-content.ts'
import { startScriptedSmtp, type ScriptAction, type Step } from '../../../tests/support/scripted-smtp.ts'
import { endpointOf, login, never, useSmtpClient, failureOf } from '../../../tests/support/smtp-client.ts'
import { compileMessage } from '../mime/mime.ts'
import { PipelinedSession } from './pipelined-session.ts'
import type { SmtpResult, SmtpSession } from './smtp-job.ts'
import { openSession } from './smtp-session.ts'

const { sinkWith } = useSmtpClient()
const authority = createAuthority()
const host = 'relay.example.com'
const network = { ca: authority.ca, lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) }
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const hostileContent = [
  '.',
  '..',
  '.{{dots}}',
  'bare\rreturn',
  `${'long '.repeat(400)}.`,
  'x'.repeat(3000),
  '\r\n.\r\nMAIL FROM:<eve@example.com>',
  'übermäßig 漢字',
].join('\n')

const textMail = (content = 'Hello\r\n') =>
  compileMessage(messageContent({ content, isHtml: false, context: { dots: '.\r\n.\r\n' } }), {})
const makeAddresses = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)

/** Sends a mail to each over one session; returns their results in order. */
async function sendTo(session: SmtpSession, recipients: readonly string[], content?: string): Promise<SmtpResult[]> {
  const template = textMail(content)
  const results = new Map<string, SmtpResult>()
  const waiting = [...recipients]
  const { promise, resolve } = Promise.withResolvers<undefined>()
  session.serve(
    () => {
      const to = waiting.shift()
      if (to === undefined) return null
      const delivery = { ...unsent, recipient: to }
      return {
        envelope: { from: 'ann@example.com', to },
        mail: template.build(delivery, new Date()),
        begin: () => undefined,
        end: (result) => void results.set(to, result),
      }
    },
    () => resolve(undefined),
  )
  await promise
  return recipients.map((to) => results.get(to) ?? { kind: 'not_started' })
}

const unsent = {
  month: '2027-01-01',
  id: 1,
  messageId: 'm',
  mailboxId: 'c',
  campaignId: null,
  context: null,
  attempts: 0,
}
const kindsOf = (results: readonly SmtpResult[]) => results.map(({ kind }) => kind)
const allReplied = (count: number) => Array.from({ length: count }, () => 'replied')

async function open(port: number, given: Parameters<typeof endpointOf>[1] = {}, as = login) {
  const session = await openSession(endpointOf({ port }, { host, ...given }), as, never, network)
  undo.push(() => session.destroy())
  return session
}

describe('the pipelined sender, on a real server,', () => {
  it.each(['none', 'starttls', 'tls'] as const)('sends over %s', async (security) => {
    const sink = await sinkWith({ security, certificate: authority.issue(host) })
    const session = await open(sink.port, { security })
    expect(session).toBeInstanceOf(PipelinedSession)
    expect(kindsOf(await sendTo(session, makeAddresses(20)))).toEqual(allReplied(20))
    expect(sink.recipients()).toEqual(makeAddresses(20))
    expect(new Set(sink.mails.map(({ isSecure }) => isSecure))).toEqual(new Set([security !== 'none']))
    await session.quit()
    expect(sink.connectionCount).toBe(1)
  })

  it.each(['PLAIN', 'LOGIN', 'XOAUTH2'] as const)('signs in where only %s is offered', async (method) => {
    const sink = await sinkWith({ authMethods: [method] })
    const as = method === 'XOAUTH2' ? { ...login, renew: () => Promise.resolve('renewed') } : login
    const session = await open(sink.port, {}, as)
    expect(session).toBeInstanceOf(PipelinedSession)
    expect(kindsOf(await sendTo(session, makeAddresses(3)))).toEqual(allReplied(3))
    expect(sink.logins).toMatchObject([{ user: login.user, password: login.pass }])
  })

  it('uses nodemailer for a server without PIPELINING, with the same result', async () => {
    const sink = await sinkWith({ without: ['PIPELINING'] })
    const session = await open(sink.port)
    expect(session).not.toBeInstanceOf(PipelinedSession)
    expect(kindsOf(await sendTo(session, makeAddresses(5), hostileContent))).toEqual(allReplied(5))
    expect(sink.recipients()).toEqual(makeAddresses(5))
  })

  it.each([[['SMTPUTF8']], [[]]] as const)(
    'sends to non-ASCII addresses where the server supports them (without %j)',
    async (without) => {
      const sink = await sinkWith({ without: [...without] })
      const results = await sendTo(await open(sink.port), ['a@example.com', 'jürgen@example.com', 'b@example.com'])
      const isTaken = without.length === 0
      expect(kindsOf(results)).toEqual(['replied', isTaken ? 'replied' : 'failed', 'replied'])
      expect(sink.recipients().includes('jürgen@example.com')).toBe(isTaken)
    },
  )

  it("does not start a mail above the server's SIZE, and continues", async () => {
    const sink = await sinkWith({ maxBytes: 2000 })
    const session = await open(sink.port)
    const results = await sendTo(session, makeAddresses(1), 'x'.repeat(5000))
    expect(results).toMatchObject([
      { kind: 'failed', error: { failure: { libraryCode: 'EMESSAGE', isHandedOver: false } } },
    ])
    expect(session.isOpen).toBe(true)
    expect(kindsOf(await sendTo(session, makeAddresses(2)))).toEqual(allReplied(2))
    expect(sink.recipients()).toEqual(makeAddresses(2))
  })

  it('H33 keeps dots, bare line ends and long lines one mail, with no line over 998 bytes', async () => {
    const sink = await sinkWith()
    expect(kindsOf(await sendTo(await open(sink.port), makeAddresses(3), hostileContent))).toEqual(allReplied(3))
    expect(sink.mails.map(({ from }) => from)).toEqual(Array.from({ length: 3 }, () => 'ann@example.com'))
    const wanted = hostileContent.replace('{{dots}}', '.\r\n.\r\n').replace(/\r\n|\r|\n/g, '\n')
    for (const [at, { text }] of (await sink.parsed()).entries()) {
      expect(text?.trimEnd()).toBe(wanted)
      const lines = sink.mails[at]?.raw.toString('latin1').split('\r\n') ?? []
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998)
      expect(lines.join('')).not.toMatch(/[\r\n]/)
    }
  })

  it('assigns refusals to the right mails, at any step', async () => {
    const sink = await sinkWith({
      onRecipient: (address) => (/[147]@/.test(address) ? '550 5.1.1 No such user' : undefined),
      onMessage: ({ to }) => (/[258]@/.test(to[0] ?? '') ? '451 4.7.1 Greylisted' : undefined),
    })
    const results = await sendTo(await open(sink.port), makeAddresses(10))
    const replies = results.map((result) =>
      result.kind === 'failed' ? result.error.failure.reply : result.kind === 'replied' ? result.reply : null,
    )
    const replyOf = (at: number) => [147, 258].map(String).findIndex((digits) => digits.includes(String(at)))
    expect(replies).toEqual(
      makeAddresses(10).map(
        (_, at) => ['250 2.0.0 Taken', '550 5.1.1 No such user', '451 4.7.1 Greylisted'][replyOf(at) + 1],
      ),
    )
    expect(sink.recipients()).toEqual([0, 3, 6, 9].map((at) => `person${at}@example.com`))
  })

  it('waits for a server that is slow at every step', async () => {
    const slowly = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 30))
    const sink = await sinkWith({
      onConnect: slowly,
      onLogin: slowly,
      onSender: slowly,
      onRecipient: slowly,
      onMessage: slowly,
    })
    expect(kindsOf(await sendTo(await open(sink.port), makeAddresses(5)))).toEqual(allReplied(5))
    expect(sink.recipients()).toEqual(makeAddresses(5))
  })

  it.each(['onSender', 'onRecipient', 'onMessage'] as const)(
    'treats a 421 at %s as the end of the connection',
    async (step) => {
      let count = 0
      const sink = await sinkWith({ [step]: () => ((count += 1) === 2 ? '421 4.3.2 Closing' : undefined) })
      const session = await open(sink.port)
      const results = await sendTo(session, makeAddresses(4))
      expect(kindsOf(results)).toEqual(['replied', 'failed', 'not_started', 'not_started'])
      expect(results[1]).toMatchObject({ error: { failure: { reply: '421 4.3.2 Closing' } } })
      expect(session.isOpen).toBe(false)
      expect(sink.recipients()).toEqual(makeAddresses(1))
    },
  )

  it.each(['onConnect', 'onLogin'] as const)('reports the 421 received at %s', async (step) => {
    const sink = await sinkWith({ [step]: () => '421 4.7.0 Too many' })
    expect((await failureOf(open(sink.port))).reply).toContain('421')
    expect(sink.openConnectionCount).toBeLessThanOrEqual(1)
  })
})

describe('the pipelined sender, on a faulty server,', () => {
  it.each<[Step, ScriptAction]>(
    (['greeting', 'EHLO', 'AUTH'] as const).flatMap((step) =>
      (['421 4.3.2 Closing', 'cut', 'reset', 'half-close'] as const).map((doing): [Step, ScriptAction] => [
        step,
        doing,
      ]),
    ),
  )('opens no session when it receives at %s: %s', async (step, doing) => {
    const server = await startScriptedSmtp({ script: (now) => (now === step ? doing : undefined) })
    undo.push(() => server.close())
    const failure = await failureOf(open(server.port))
    expect(failure.isHandedOver).toBe(false)
    if (doing?.startsWith('421') === true) expect(failure.reply).toContain('421 4.3.2')
    expect(server.commands.filter((line) => /^(?:MAIL|RCPT|DATA)/.test(line))).toEqual([])
  })

  it('parses multi-line replies that arrive byte by byte, at every step', async () => {
    const many = (code: number) => `${code}-one\r\n${code}-two\r\n${code} three` as const
    const replies: Partial<Record<Step, ScriptAction>> = {
      greeting: many(220),
      MAIL: many(250),
      RCPT: many(250),
      DATA: many(354),
      message: many(250),
    }
    const server = await startScriptedSmtp({ script: (step) => replies[step], pieceBytes: 1 })
    undo.push(() => server.close())
    const results = await sendTo(await open(server.port), makeAddresses(4))
    expect(results.map((result) => (result.kind === 'replied' ? result.reply : result.kind))).toEqual(
      Array.from({ length: 4 }, () => '250-one\n250-two\n250 three'),
    )
    expect(server.taken.map(({ to }) => to)).toEqual(makeAddresses(4))
  })

  it('uses SIZE, 8BITMIME and SMTPUTF8 if offered and needed', async () => {
    const linesFor = async (offers: readonly string[], to: string) => {
      const server = await startScriptedSmtp({ offers: ['PIPELINING', ...offers] })
      undo.push(() => server.close())
      await sendTo(await open(server.port), [to])
      return server.commands.find((line) => line.startsWith('MAIL'))
    }
    expect(await linesFor([], 'a@example.com')).toBe('MAIL FROM:<ann@example.com>')
    expect(await linesFor(['SIZE'], 'a@example.com')).toMatch(/^MAIL FROM:<ann@example\.com> SIZE=\d+$/)
    expect(await linesFor(['8BITMIME', 'SMTPUTF8'], 'a@example.com')).toBe('MAIL FROM:<ann@example.com>')
    expect(await linesFor(['8BITMIME', 'SMTPUTF8'], 'ü@example.com')).toBe(
      'MAIL FROM:<ann@example.com> BODY=8BITMIME SMTPUTF8',
    )
    expect(await linesFor(['8BITMIME'], 'ü@example.com')).toBeUndefined()
  })

  it('H23 discards everything received in plaintext after the reply to STARTTLS', async () => {
    const heardInTls: string[] = []
    const server = createServer((socket) => speakStarttls(socket, heardInTls))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    undo.push(() => server.close())
    const session = await open((server.address() as AddressInfo).port, { security: 'starttls' })
    undo.push(() => session.destroy())
    // Injected: a successful sign-in, and PIPELINING.
    expect(heardInTls.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'AUTH'])
    expect(session).not.toBeInstanceOf(PipelinedSession)
  })
})

/** A server whose reply to STARTTLS is followed by lines that an attacker has injected. */
function speakStarttls(socket: Socket, heardInTls: string[]): void {
  socket.on('error', () => undefined)
  socket.write('220 hi\r\n')
  socket.on('data', function hear(chunk: Buffer) {
    if (chunk.toString().startsWith('EHLO')) socket.write('250-hi\r\n250 STARTTLS\r\n')
    else {
      socket.off('data', hear)
      socket.write('220 go\r\n250-evil\r\n250-PIPELINING\r\n250 AUTH PLAIN\r\n235 2.7.0 In\r\n')
      const secure = new TLSSocket(socket, { isServer: true, ...authority.issue(host) })
      secure.on('error', () => undefined)
      secure.on('data', (line: Buffer) => {
        heardInTls.push(line.toString().trim())
        secure.write(heardInTls.length === 1 ? '250-hi\r\n250 AUTH PLAIN\r\n' : '235 2.7.0 In\r\n')
      })
    }
  })
}
