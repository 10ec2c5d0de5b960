import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAuthority, createSelfSigned } from '../../tests/support/certificate.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from '../../tests/support/smtp-sink.ts'
import type { SmtpEndpoint } from './providers.ts'
import { SmtpError } from './smtp-error.ts'
import { openSession, type SmtpLogin, type SmtpNetwork, type SmtpSession } from './smtp-session.ts'

const login: SmtpLogin = { user: 'ann@example.com', pass: 'hunter22' }
const envelope = { from: 'ann@example.com', to: 'bob@example.com' }
const mail = Buffer.from('Subject: Hi\r\n\r\nHello\r\n')
const never = new AbortController().signal
const authority = createAuthority()

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function sinkWith(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  undo.push(() => sink.close())
  return sink
}

function endpointOf(sink: { port: number }, given: Partial<SmtpEndpoint> = {}): SmtpEndpoint {
  return { host: '127.0.0.1', port: sink.port, security: 'none', isTrusted: true, ...given }
}

async function sessionTo(endpoint: SmtpEndpoint, network: SmtpNetwork = {}): Promise<SmtpSession> {
  const session = await openSession(endpoint, login, never, network)
  undo.push(() => session.destroy())
  return session
}

async function verdictOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SmtpError)) throw new Error('No SmtpError was thrown', { cause: error })
  return error.verdict
}

/** A TCP server that speaks as told: SMTP servers at their worst. */
async function rawServer(speak: (socket: Socket) => void): Promise<{ port: number; heard: () => string }> {
  const sockets: Socket[] = []
  let heard = ''
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')))
    speak(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

describe('a session', () => {
  it('signs in, sends mails one after the other over one connection, and gives the final replies', async () => {
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

  it('sends nothing when beforeBody throws, and gives the same error', async () => {
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
  ])('gives the refusal %#, and can be used again', async (options, reply) => {
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
    const verdict = await verdictOf(session.send(envelope, mail, () => {}))
    expect(verdict).toMatchObject({ phase: 'message', reply })
    isRefusing = false
    expect(session.isOpen).toBe(true)
    expect(await session.send(envelope, mail, () => {})).toMatch(/^250 /)
    expect(sink.connectionCount).toBe(1)
  })

  it('a 421 closes it', async () => {
    const sink = await sinkWith({ onSender: () => '421 4.7.0 Too many' })
    const session = await sessionTo(endpointOf(sink))
    expect(await verdictOf(session.send(envelope, mail, () => {}))).toMatchObject({ reply: '421 4.7.0 Too many' })
    expect(session.isOpen).toBe(false)
  })

  it('knows whether the message had left when the connection broke', async () => {
    const before = await sinkWith({ onRecipient: () => 'cut' })
    const lost = verdictOf((await sessionTo(endpointOf(before))).send(envelope, mail, () => {}))
    expect(await lost).toMatchObject({ phase: 'message', reply: null, isHandedOver: false })
    const after = await sinkWith({ onMessage: () => 'cut' })
    const unknown = verdictOf((await sessionTo(endpointOf(after))).send(envelope, mail, () => {}))
    expect(await unknown).toMatchObject({ phase: 'message', reply: null, isHandedOver: true })
  })

  it('a large mail that breaks off in the middle has not left', async () => {
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
    expect(await verdictOf(session.send(envelope, huge, () => {}))).toMatchObject({ isHandedOver: false })
  })

  it('a silent server after the message is unknown once the wait is over', async () => {
    const sink = await sinkWith({ onMessage: () => new Promise(() => {}) })
    const session = await sessionTo(endpointOf(sink), { replyTimeoutMs: 500 })
    const verdict = await verdictOf(session.send(envelope, mail, () => {}))
    expect(verdict).toMatchObject({ libraryCode: 'ETIMEDOUT', isHandedOver: true })
  })

  it('destroy fails what is in flight', async () => {
    const sink = await sinkWith({ onSender: () => new Promise(() => {}) })
    const session = await sessionTo(endpointOf(sink))
    const verdict = verdictOf(session.send(envelope, mail, () => {}))
    session.destroy()
    expect(await verdict).toMatchObject({ phase: 'message', isHandedOver: false })
  })

  it('H33 dots at line starts, bare CR and bare LF arrive as one message', async () => {
    const sink = await sinkWith()
    const session = await sessionTo(endpointOf(sink))
    const hostile = 'Subject: Hi\r\n\r\n.\r\n.a\r\n..\nx\n.\nMAIL FROM:<e@e.com>\r.\rRCPT TO:<e@e.com>\r\n.\r\nend'
    await session.send(envelope, Buffer.from(hostile), () => {})
    expect(sink.mails).toHaveLength(1)
    expect(sink.mails[0]?.raw.toString().trimEnd()).toBe(hostile.replace(/\r\n|\r|\n/g, '\r\n'))
  })

  it('an address beyond ASCII needs a server that says it takes them', async () => {
    const old = await sinkWith({ without: ['SMTPUTF8'] })
    const refused = verdictOf(
      (await sessionTo(endpointOf(old))).send({ ...envelope, to: 'jürgen@x.com' }, mail, () => {}),
    )
    expect(await refused).toMatchObject({ libraryCode: 'EENVELOPE', systemCode: 'NO_SMTPUTF8' })
    const modern = await sinkWith()
    await (await sessionTo(endpointOf(modern))).send({ ...envelope, to: 'jürgen@x.com' }, mail, () => {})
    expect(modern.recipients()).toEqual(['jürgen@x.com'])
  })

  it('a message larger than the server takes is refused before it is sent', async () => {
    const sink = await sinkWith({ maxBytes: 10 })
    const session = await sessionTo(endpointOf(sink))
    expect(await verdictOf(session.send(envelope, mail, () => {}))).toMatchObject({
      libraryCode: 'EMESSAGE',
      reply: null,
    })
  })
})

describe('signing in', () => {
  it('gives the server’s refusal', async () => {
    const sink = await sinkWith({ onLogin: () => '535 5.7.8 Bad credentials' })
    const verdict = await verdictOf(openSession(endpointOf(sink), login, never))
    expect(verdict).toMatchObject({ phase: 'login', reply: '535 5.7.8 Bad credentials' })
  })

  it('leaves it out where an operator’s relay offers none, and where there is nothing to sign in with', async () => {
    const relay = await sinkWith({ without: ['AUTH'] })
    await (await sessionTo(endpointOf(relay))).send(envelope, mail, () => {})
    const open = await sinkWith()
    const session = await openSession(endpointOf(open), null, never)
    undo.push(() => session.destroy())
    await session.send(envelope, mail, () => {})
    expect([...relay.logins, ...open.logins]).toEqual([])
  })

  it('ends in time when the server says nothing, and leaves no connection', async () => {
    const { port } = await rawServer(() => {})
    const verdict = await verdictOf(openSession(endpointOf({ port }), login, never, { connectTimeoutMs: 100 }))
    expect(verdict).toMatchObject({ phase: 'connect' })
    expect([verdict.systemCode, verdict.libraryCode]).toContain('ETIMEDOUT')
  })

  it('can be called off', async () => {
    const { port } = await rawServer(() => {})
    const controller = new AbortController()
    const opening = verdictOf(openSession(endpointOf({ port }), login, controller.signal))
    controller.abort()
    expect(await opening).toMatchObject({ phase: 'connect', reply: null })
  })

  it('says that nobody listens', async () => {
    const sink = await startSmtpSink()
    await sink.close()
    expect(await verdictOf(openSession(endpointOf(sink), login, never))).toMatchObject({ systemCode: 'ECONNREFUSED' })
  })
})

describe('where a mailbox may lead', () => {
  const untrusted = { host: 'mail.example.com', port: 465, security: 'tls', isTrusted: false } as const

  it.each([
    ['127.0.0.1'],
    ['10.0.0.5'],
    ['169.254.169.254'],
    ['100.64.1.1'],
    ['224.0.0.1'],
    ['::1'],
    ['::ffff:a9fe:a9fe'],
    ['fd00::1'],
    ['8.8.8.8', '127.0.0.1'],
  ])('H22 a name that leads to %s is refused before anything is sent', async (...addresses) => {
    const lookup = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    const verdict = await verdictOf(openSession(untrusted, login, never, { lookup }))
    expect(verdict).toMatchObject({ phase: 'connect', systemCode: 'FORBIDDEN_ADDRESS' })
  })

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '[::1]', 'localhost'])(
    'H22 so is %s itself',
    async (host) => {
      const verdict = await verdictOf(openSession({ ...untrusted, host }, login, never))
      expect(['FORBIDDEN_ADDRESS', 'ENOTFOUND']).toContain(verdict.systemCode)
    },
  )

  it.each([25, 2525, 22, 6379])('H22 port %i is refused', async (port) => {
    const verdict = await verdictOf(openSession({ ...untrusted, port }, login, never))
    expect(verdict).toMatchObject({ systemCode: 'FORBIDDEN_PORT' })
  })

  it('a connection without encryption is refused', async () => {
    const verdict = await verdictOf(openSession({ ...untrusted, security: 'none' }, login, never))
    expect(verdict).toMatchObject({ systemCode: 'FORBIDDEN_CLEAR' })
  })

  it.each(['no host', 'a\0b', 'x/../y', ''])('%j is no host', async (host) => {
    const verdict = await verdictOf(openSession({ ...untrusted, host }, login, never))
    expect(verdict).toMatchObject({ phase: 'connect', systemCode: 'ENOTFOUND' })
  })

  it('H22 a name is looked up once, and what it gave then is what is connected to', async () => {
    const certificate = authority.issue('mail.example.com')
    const sink = await sinkWith({ security: 'tls', certificate })
    let lookups = 0
    const lookup = () => {
      lookups += 1
      return Promise.resolve([{ address: lookups === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }])
    }
    const endpoint = endpointOf(sink, { host: 'mail.example.com', security: 'tls' })
    const session = await sessionTo(endpoint, { lookup, ca: authority.ca })
    await session.send(envelope, mail, () => {})
    expect([lookups, sink.mails.length]).toEqual([1, 1])
  })

  it('an address that does not answer gives way to the next one', async () => {
    const sink = await sinkWith()
    const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    const endpoint = endpointOf(sink, { host: 'mail.example.com' })
    const session = await sessionTo(endpoint, { lookup: () => Promise.resolve(addresses) })
    await session.send(envelope, mail, () => {})
    expect(sink.mails).toHaveLength(1)
  })
})

describe('no credentials without verified encryption', () => {
  const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const network = { lookup, ca: authority.ca }
  const host = 'mail.example.com'

  it.each(['tls', 'starttls'] as const)('signs in over %s', async (security) => {
    const sink = await sinkWith({ security, certificate: authority.issue(host) })
    await (await sessionTo(endpointOf(sink, { host, security }), network)).send(envelope, mail, () => {})
    expect(sink.logins).toEqual([{ user: login.user, password: login.pass, isSecure: true }])
    expect(sink.mails[0]?.isSecure).toBe(true)
  })

  it.each(['tls', 'starttls'] as const)('H23 a self-signed certificate over %s is refused', async (security) => {
    const sink = await sinkWith({ security, certificate: createSelfSigned(host) })
    const verdict = await verdictOf(openSession(endpointOf(sink, { host, security }), login, never, network))
    expect(verdict).toMatchObject({ phase: 'connect', systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(sink.logins).toEqual([])
  })

  it.each(['tls', 'starttls'] as const)('H23 a certificate for another name over %s is refused', async (security) => {
    const sink = await sinkWith({ security, certificate: authority.issue('evil.example.com') })
    const verdict = await verdictOf(openSession(endpointOf(sink, { host, security }), login, never, network))
    expect(verdict).toMatchObject({ phase: 'connect', systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(sink.logins).toEqual([])
  })

  it('H23 an expired certificate is refused', async () => {
    const sink = await sinkWith({ security: 'tls', certificate: authority.issue(host, -1) })
    const verdict = await verdictOf(openSession(endpointOf(sink, { host, security: 'tls' }), login, never, network))
    expect(verdict).toMatchObject({ systemCode: 'CERT_HAS_EXPIRED' })
    expect(sink.logins).toEqual([])
  })

  it('H23 a server without STARTTLS gets no credentials', async () => {
    const sink = await sinkWith({ security: 'none' })
    const verdict = await verdictOf(
      openSession(endpointOf(sink, { host, security: 'starttls' }), login, never, network),
    )
    expect(verdict).toMatchObject({ phase: 'connect', libraryCode: 'ETLS' })
    expect(sink.logins).toEqual([])
  })

  it('H23 nor does one that does not know EHLO, or that answers STARTTLS with words of its own', async () => {
    const downgraded = await rawServer((socket) => {
      socket.write('220 hi\r\n')
      socket.on('data', () => socket.write('502 what\r\n'))
    })
    const smuggling = await rawServer((socket) => {
      socket.write('220 hi\r\n')
      socket.on('data', (chunk) => {
        if (chunk.toString().startsWith('EHLO')) socket.write('250-hi\r\n250 STARTTLS\r\n')
        else if (chunk.toString().startsWith('STARTTLS')) {
          socket.write('220 go\r\n250-hi\r\n250 AUTH PLAIN\r\n235 welcome\r\n')
        }
      })
    })
    for (const { port, heard } of [downgraded, smuggling]) {
      const endpoint = endpointOf({ port }, { host, security: 'starttls' })
      const verdict = await verdictOf(openSession(endpoint, login, never, { ...network, connectTimeoutMs: 500 }))
      expect(verdict.phase).toBe('connect')
      expect(heard()).not.toMatch(/AUTH|hunter22/)
    }
  })

  it('tls against a port that speaks plainly is refused', async () => {
    const sink = await sinkWith()
    const verdict = await verdictOf(openSession(endpointOf(sink, { host, security: 'tls' }), login, never, network))
    expect(verdict.phase).toBe('connect')
    expect(verdict.systemCode).toMatch(/ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG/)
    expect(sink.logins).toEqual([])
  })
})
