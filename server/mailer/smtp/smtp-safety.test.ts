import { describe, expect, it } from 'vitest'
import { createAuthority, createSelfSigned } from '../../../tests/support/certificate.ts'
import { endpointOf, login, never, useSmtpClient, failureOf } from '../../../tests/support/smtp-client.ts'
import { isPublicAddress } from '../../domain/core/network-address.ts'
import { openSession } from './smtp-session.ts'

const envelope = { from: 'ann@example.com', to: 'bob@example.com' }
const mail = Buffer.from('Subject: Hi\r\n\r\nHello\r\n')
const authority = createAuthority()
const { sinkWith, rawServer, sessionTo } = useSmtpClient()

describe('the address check of a mailbox', () => {
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
  ])('H22 a name that resolves to %s is rejected before anything is sent', async (...addresses) => {
    const lookup = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    const failure = await failureOf(openSession(untrusted, login, never, { lookup }))
    expect(failure).toMatchObject({ phase: 'connect', systemCode: 'FORBIDDEN_ADDRESS' })
  })

  it('TRIAL-19 a name that resolves to 192.88.99.0/24 is rejected before a byte is sent', async () => {
    const network = ['192.88.99.0', '192.88.99.1', '192.88.99.255']
    expect(network.map(isPublicAddress)).toEqual([false, false, false])
    expect(['192.88.98.255', '192.88.100.0'].map(isPublicAddress)).toEqual([true, true])
    for (const address of network) {
      const lookup = () => Promise.resolve([{ address, family: 4 }])
      const failure = await failureOf(openSession(untrusted, login, never, { lookup }))
      expect(failure).toMatchObject({ phase: 'connect', systemCode: 'FORBIDDEN_ADDRESS', isHandedOver: false })
    }
  })

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '[::1]', 'localhost'])(
    'H22 %s itself is rejected',
    async (host) => {
      const failure = await failureOf(openSession({ ...untrusted, host }, login, never))
      expect(['FORBIDDEN_ADDRESS', 'ENOTFOUND']).toContain(failure.systemCode)
    },
  )

  it.each([25, 2525, 22, 6379])('H22 port %i is rejected', async (port) => {
    const failure = await failureOf(openSession({ ...untrusted, port }, login, never))
    expect(failure).toMatchObject({ systemCode: 'FORBIDDEN_PORT' })
  })

  it('a connection without encryption is rejected', async () => {
    const failure = await failureOf(openSession({ ...untrusted, security: 'none' }, login, never))
    expect(failure).toMatchObject({ systemCode: 'FORBIDDEN_CLEAR' })
  })

  it.each(['no host', 'a\0b', 'x/../y', ''])('%j is not a host', async (host) => {
    const failure = await failureOf(openSession({ ...untrusted, host }, login, never))
    expect(failure).toMatchObject({ phase: 'connect', systemCode: 'ENOTFOUND' })
  })

  it('H22 a name is resolved once, and the connection uses that address', async () => {
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

  it('an address that does not respond is followed by the next one', async () => {
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

  it.each(['tls', 'starttls'] as const)('H23 a self-signed certificate over %s is rejected', async (security) => {
    const sink = await sinkWith({ security, certificate: createSelfSigned(host) })
    const failure = await failureOf(openSession(endpointOf(sink, { host, security }), login, never, network))
    expect(failure).toMatchObject({ phase: 'connect', systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(sink.logins).toEqual([])
  })

  it.each(['tls', 'starttls'] as const)('H23 a certificate for another name over %s is rejected', async (security) => {
    const sink = await sinkWith({ security, certificate: authority.issue('evil.example.com') })
    const failure = await failureOf(openSession(endpointOf(sink, { host, security }), login, never, network))
    expect(failure).toMatchObject({ phase: 'connect', systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(sink.logins).toEqual([])
  })

  it('H23 an expired certificate is rejected', async () => {
    const sink = await sinkWith({ security: 'tls', certificate: authority.issue(host, -1) })
    const failure = await failureOf(openSession(endpointOf(sink, { host, security: 'tls' }), login, never, network))
    expect(failure).toMatchObject({ systemCode: 'CERT_HAS_EXPIRED' })
    expect(sink.logins).toEqual([])
  })

  it('H23 a server without STARTTLS gets no credentials', async () => {
    const sink = await sinkWith({ security: 'none' })
    const failure = await failureOf(
      openSession(endpointOf(sink, { host, security: 'starttls' }), login, never, network),
    )
    expect(failure).toMatchObject({ phase: 'connect', libraryCode: 'ETLS' })
    expect(sink.logins).toEqual([])
  })

  it('H23 a server without EHLO, or with another reply to STARTTLS, gets no credentials', async () => {
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
    for (const { port, received } of [downgraded, smuggling]) {
      const endpoint = endpointOf({ port }, { host, security: 'starttls' })
      const failure = await failureOf(openSession(endpoint, login, never, { ...network, connectTimeoutMs: 500 }))
      expect(failure.phase).toBe('connect')
      expect(received()).not.toMatch(/AUTH|hunter22/)
    }
  })

  it('tls on a plaintext port is rejected', async () => {
    const sink = await sinkWith()
    const failure = await failureOf(openSession(endpointOf(sink, { host, security: 'tls' }), login, never, network))
    expect(failure.phase).toBe('connect')
    expect(failure.systemCode).toMatch(/ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG/)
    expect(sink.logins).toEqual([])
  })
})
