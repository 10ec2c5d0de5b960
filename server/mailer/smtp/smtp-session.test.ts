import { describe, expect, it } from 'vitest'
import { endpointOf, login, never, useSmtpClient, failureOf } from '../../../tests/support/smtp-client.ts'
import { startSmtpSink, type SinkOptions } from '../../../tests/support/smtp-sink.ts'
import { openSession } from './smtp-session.ts'

const envelope = { from: 'ann@example.com', to: 'bob@example.com' }
const mail = Buffer.from('Subject: Hi\r\n\r\nHello\r\n')
const { sinkWith, rawServer, sessionTo } = useSmtpClient()

describe('a session', () => {
  it('signs in, sends mails one after the other over one connection, and returns the final replies', async () => {
    const sink = await sinkWith()
    const session = await sessionTo(endpointOf(sink))
    expect(await session.send(envelope, mail, () => {})).toBe('250 2.0.0 Taken')
    expect(await session.send({ ...envelope, to: 'eve@example.com' }, mail, () => {})).toBe('250 2.0.0 Taken')
    expect(sink.mails.map(({ from, to, user }) => [from, to, user])).toEqual([
      ['ann@example.com', ['bob@example.com'], 'ann@example.com'],
      ['ann@example.com', ['eve@example.com'], 'ann@example.com'],
    ])
    expect([sink.connectionCount, session.usedCount]).toEqual([1, 2])
    await session.quit()
    expect(session.isOpen).toBe(false)
  })

  it.each([['PIPELINING'], []] as const)(
    'calls beforeBody after 354 and before the first byte (without %s)',
    async (...without) => {
      const order: string[] = []
      const sink = await sinkWith({
        without: [...without],
        onRecipient: () => void order.push('recipient'),
        onMessage: () => void order.push('message'),
      })
      const session = await sessionTo(endpointOf(sink))
      await session.send(envelope, mail, () => order.push('before body'))
      expect(order).toEqual(['recipient', 'before body', 'message'])
    },
  )

  it('sends nothing when beforeBody throws, and rejects with the same error', async () => {
    const sink = await sinkWith()
    const session = await sessionTo(endpointOf(sink))
    const full = new Error('disk full')
    const sending = session.send(envelope, mail, () => {
      throw full
    })
    await expect(sending).rejects.toBe(full)
    expect(session.isOpen).toBe(false)
    expect(sink.mails).toHaveLength(0)
  })

  it.each<[options: SinkOptions, reply: string]>([
    [{ onSender: () => '451 4.3.0 Not now' }, '451 4.3.0 Not now'],
    [{ onRecipient: () => '550 5.1.1 No such user' }, '550 5.1.1 No such user'],
    [{ onRecipient: () => '450 4.2.1 Busy', without: ['PIPELINING'] }, '450 4.2.1 Busy'],
    [{ onMessage: () => '554 5.7.1 Spam' }, '554 5.7.1 Spam'],
  ])('reports the refusal %#, and stays usable', async (options, reply) => {
    let isRefusing = true
    const once =
      <A, R>(answer?: (given: A) => R) =>
      (given: A) =>
        isRefusing ? answer?.(given) : undefined
    const sink = await sinkWith({
      ...options,
      onSender: once(options.onSender),
      onRecipient: once(options.onRecipient),
      onMessage: once(options.onMessage),
    })
    const session = await sessionTo(endpointOf(sink))
    const failure = await failureOf(session.send(envelope, mail, () => {}))
    expect(failure).toMatchObject({ phase: 'message', reply })
    isRefusing = false
    expect(session.isOpen).toBe(true)
    expect(await session.send(envelope, mail, () => {})).toMatch(/^250 /)
    expect(sink.connectionCount).toBe(1)
  })

  it('a 421 closes it', async () => {
    const sink = await sinkWith({ onSender: () => '421 4.7.0 Too many' })
    const session = await sessionTo(endpointOf(sink))
    expect(await failureOf(session.send(envelope, mail, () => {}))).toMatchObject({ reply: '421 4.7.0 Too many' })
    expect(session.isOpen).toBe(false)
  })

  it('reports whether the message had been sent when the connection broke', async () => {
    const before = await sinkWith({ onRecipient: () => 'cut' })
    const lost = failureOf((await sessionTo(endpointOf(before))).send(envelope, mail, () => {}))
    expect(await lost).toMatchObject({ phase: 'message', reply: null, isHandedOver: false })
    const after = await sinkWith({ onMessage: () => 'cut' })
    const unknown = failureOf((await sessionTo(endpointOf(after))).send(envelope, mail, () => {}))
    expect(await unknown).toMatchObject({ phase: 'message', reply: null, isHandedOver: true })
  })

  it('a large mail that breaks off in the middle was not sent', async () => {
    const { port } = await rawServer((socket) => {
      socket.write('220 hi\r\n')
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        if (text.startsWith('EHLO')) socket.write('250 hi\r\n')
        else if (text.startsWith('DATA')) {
          socket.write('354 go\r\n')
          socket.pause()
          setTimeout(() => socket.destroy(), 50)
        } else if (/^(?:MAIL|RCPT)/.test(text)) socket.write('250 ok\r\n')
      })
    })
    const session = await sessionTo(endpointOf({ port }))
    const huge = Buffer.alloc(16 * 1024 * 1024, 'x\r\n')
    expect(await failureOf(session.send(envelope, huge, () => {}))).toMatchObject({ isHandedOver: false })
  })

  it('a missing reply after the message makes it unknown after the timeout', async () => {
    const sink = await sinkWith({ onMessage: () => new Promise(() => {}) })
    const session = await sessionTo(endpointOf(sink), { replyTimeoutMs: 1500 })
    const failure = await failureOf(session.send(envelope, mail, () => {}))
    expect(failure).toMatchObject({ libraryCode: 'ETIMEDOUT', isHandedOver: true })
  })

  it('destroy fails mails in flight', async () => {
    const sink = await sinkWith({ onSender: () => new Promise(() => {}) })
    const session = await sessionTo(endpointOf(sink))
    const failure = failureOf(session.send(envelope, mail, () => {}))
    session.destroy()
    expect(await failure).toMatchObject({ phase: 'message', isHandedOver: false })
  })

  it('H33 dots at line starts, bare CR and bare LF arrive as one message', async () => {
    const sink = await sinkWith()
    const session = await sessionTo(endpointOf(sink))
    const hostile = 'Subject: Hi\r\n\r\n.\r\n.a\r\n..\nx\n.\nMAIL FROM:<e@e.com>\r.\rRCPT TO:<e@e.com>\r\n.\r\nend'
    await session.send(envelope, Buffer.from(hostile), () => {})
    expect(sink.mails).toHaveLength(1)
    expect(sink.mails[0]?.raw.toString().trimEnd()).toBe(hostile.replace(/\r\n|\r|\n/g, '\r\n'))
  })

  it('a non-ASCII address needs a server with SMTPUTF8', async () => {
    const old = await sinkWith({ without: ['SMTPUTF8'] })
    const refused = failureOf(
      (await sessionTo(endpointOf(old))).send({ ...envelope, to: 'jürgen@x.com' }, mail, () => {}),
    )
    expect(await refused).toMatchObject({ libraryCode: 'EENVELOPE', systemCode: 'NO_SMTPUTF8' })
    const modern = await sinkWith()
    await (await sessionTo(endpointOf(modern))).send({ ...envelope, to: 'jürgen@x.com' }, mail, () => {})
    expect(modern.recipients()).toEqual(['jürgen@x.com'])
  })

  it("a message above the server's SIZE is refused before it is sent", async () => {
    const sink = await sinkWith({ maxBytes: 10 })
    const session = await sessionTo(endpointOf(sink))
    expect(await failureOf(session.send(envelope, mail, () => {}))).toMatchObject({
      libraryCode: 'EMESSAGE',
      reply: null,
    })
  })
})

describe('signing in', () => {
  it('reports the server’s refusal', async () => {
    const sink = await sinkWith({ onLogin: () => '535 5.7.8 Bad credentials' })
    const failure = await failureOf(openSession(endpointOf(sink), login, never))
    expect(failure).toMatchObject({ phase: 'login', reply: '535 5.7.8 Bad credentials' })
  })

  it('is skipped when an operator’s relay does not offer it, and without credentials', async () => {
    const relay = await sinkWith({ without: ['AUTH'] })
    await (await sessionTo(endpointOf(relay))).send(envelope, mail, () => {})
    const open = await sinkWith()
    const session = await sessionTo(endpointOf(open), {}, null)
    await session.send(envelope, mail, () => {})
    expect([...relay.logins, ...open.logins]).toEqual([])
  })

  it('times out when the server does not respond, and leaves no connection', async () => {
    const { port } = await rawServer(() => {})
    const failure = await failureOf(openSession(endpointOf({ port }), login, never, { connectTimeoutMs: 100 }))
    expect(failure).toMatchObject({ phase: 'connect' })
    expect([failure.systemCode, failure.libraryCode]).toContain('ETIMEDOUT')
  })

  it('can be aborted', async () => {
    const { port } = await rawServer(() => {})
    const controller = new AbortController()
    const opening = failureOf(openSession(endpointOf({ port }), login, controller.signal))
    controller.abort()
    expect(await opening).toMatchObject({ phase: 'connect', reply: null })
  })

  it('reports a refused connection', async () => {
    const sink = await startSmtpSink()
    await sink.close()
    expect(await failureOf(openSession(endpointOf(sink), login, never))).toMatchObject({ systemCode: 'ECONNREFUSED' })
  })
})
