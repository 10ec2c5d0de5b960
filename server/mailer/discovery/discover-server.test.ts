import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAuthority, createSelfSigned, type TestCertificate } from '../../../tests/support/certificate.ts'
import { parseAutoconfig } from './autoconfig.ts'
import { lookupAll } from '../smtp/connect.ts'
import { discoverServer, type DiscoveryNetwork } from './discover-server.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const authority = createAuthority()
const host = 'autoconfig.example.com'
const outgoing = (server: string) =>
  `<clientConfig version="1.1"><emailProvider id="x"><incomingServer type="imap"><hostname>imap.x.net</hostname>
   <port>993</port><socketType>SSL</socketType></incomingServer>${server}</emailProvider></clientConfig>`
const smtp = (name: string, port: number, security: string) =>
  `<outgoingServer type="smtp"><hostname>${name}</hostname><port>${port}</port><socketType>${security}</socketType>
   <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication></outgoingServer>`
const description = outgoing(smtp('smtp.hoster.net', 465, 'SSL'))

/** A web server of the domain; returns the requests it received. */
async function webServer(answer: RequestListener, certificate: TestCertificate = authority.issue(host)) {
  const requested: string[] = []
  let connectionCount = 0
  const server = createTlsServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    requested.push(`${request.headers.host ?? ''} ${request.url ?? ''}`)
    answer(request, response)
  })
  server.on('tlsClientError', () => undefined)
  server.on('connection', () => (connectionCount += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(
    () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { port, requested, connectionCount: () => connectionCount }
}

const none = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
const here = (name: string) => (name === host ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : none())
const srv = (name: string, port: number, more = {}) => ({ name, port, priority: 0, weight: 0, ...more })
const discover = (network: DiscoveryNetwork, allow: { host: string; port: number }[] = []) =>
  discoverServer('ann@example.com', { allow }, { lookup: none, resolveSrv: none, ca: authority.ca, ...network })
/** As if the operator had named the web server, which is on this machine. */
const discoverAt = (port: number, network: DiscoveryNetwork = {}) =>
  discover({ lookup: here, port, ...network }, [{ host, port }])

describe('the mail server of a domain', () => {
  it('is read from its autoconfig file over https, in any domain', async () => {
    const { port, requested } = await webServer((_request, response) => response.end(description))
    expect(await discoverAt(port)).toEqual({
      server: { host: 'smtp.hoster.net', port: 465, security: 'tls' },
      isSure: true,
    })
    expect(requested).toEqual([`${host}:${port} /mail/config-v1.1.xml`])
  })

  it('is found by SRV records: implicit TLS before STARTTLS, the best priority first', async () => {
    const records: Record<string, ReturnType<typeof srv>[]> = {
      '_submissions._tcp.example.com': [
        srv('second.example.com', 465, { priority: 10 }),
        srv('first.example.com', 465, { priority: 1 }),
      ],
      '_submission._tcp.example.com': [srv('other.example.com', 587)],
    }
    const resolveSrv = (name: string) => Promise.resolve(records[name] ?? [])
    const tls = { host: 'first.example.com', port: 465, security: 'tls' }
    expect(await discover({ resolveSrv })).toEqual({ server: tls, isSure: true })
    records['_submissions._tcp.example.com'] = [srv('.', 465)]
    const starttls = { host: 'other.example.com', port: 587, security: 'starttls' }
    expect(await discover({ resolveSrv })).toEqual({ server: starttls, isSure: true })
  })

  it('H23 requires a confirmation when only DNS names one in another domain', async () => {
    const resolveSrv = () => Promise.resolve([srv('smtp.evil.net', 465)])
    expect(await discover({ resolveSrv })).toMatchObject({ isSure: false })
    const alike = () => Promise.resolve([srv('smtp.notexample.com', 465)])
    expect(await discover({ resolveSrv: alike })).toMatchObject({ isSure: false })
  })

  it('is null without any answer', async () => {
    expect(await discover({})).toBeNull()
    expect(await discoverServer('ann@[127.0.0.1]', { allow: [] }, { lookup: none, resolveSrv: none })).toBeNull()
  })

  it.each([25, 2525, 22])('H22 is rejected on port %i', async (smtpPort) => {
    const { port } = await webServer((_request, response) =>
      response.end(outgoing(smtp('smtp.hoster.net', smtpPort, 'STARTTLS'))),
    )
    expect(
      await discoverAt(port, { resolveSrv: () => Promise.resolve([srv('smtp.example.com', smtpPort)]) }),
    ).toBeNull()
  })
})

describe('discovery at a hostile domain', () => {
  it.each([
    ['127.0.0.1'],
    ['10.0.0.8'],
    ['169.254.169.254'],
    ['::ffff:a9fe:a9fe'],
    ['fd00::1'],
    ['192.0.2.1', '127.0.0.1'],
  ])('H22 does not connect to a name that resolves to %s', async (...addresses) => {
    const { port, connectionCount } = await webServer((_request, response) => response.end(description))
    const lookup = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    expect(await discover({ lookup, port })).toBeNull()
    expect(connectionCount()).toBe(0)
  })

  it('H22 resolves a name once, and connects to that address', async () => {
    const { port } = await webServer((_request, response) => response.end(description))
    let count = 0
    const lookup = (name: string) => {
      if (name !== host) return none()
      count += 1
      return Promise.resolve([{ address: count === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }])
    }
    expect(await discoverAt(port, { lookup })).not.toBeNull()
    expect(count).toBe(1)
  })

  it('H22 a redirect is not followed', async () => {
    const inner = createServer((_request, response) => response.end(description)).listen(0, '127.0.0.1')
    await once(inner, 'listening')
    undo.push(() => new Promise((done) => inner.close(done)))
    let hits = 0
    inner.on('request', () => (hits += 1))
    const { port } = await webServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${(inner.address() as AddressInfo).port}/` }).end(),
    )
    expect(await discoverAt(port)).toBeNull()
    expect(hits).toBe(0)
  })

  it.each([
    ['for itself', createSelfSigned(host)],
    ['for another name', authority.issue('example.net')],
  ])('H23 rejects a certificate %s', async (_what, certificate) => {
    const { port, requested } = await webServer((_request, response) => response.end(description), certificate)
    expect(await discoverAt(port)).toBeNull()
    expect(requested).toEqual([])
  })

  it('aborts an endless response and a missing one', async () => {
    const endless = await webServer((_request, response) => {
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(16_384), more)
      }
      more()
    })
    expect(await discoverAt(endless.port)).toBeNull()
    const silent = await webServer(() => undefined)
    expect(await discoverAt(silent.port, { timeoutMs: 300 })).toBeNull()
  })

  it('reads 65,536 characters of an autoconfig file', async () => {
    const answer = async (chars: number) =>
      discoverAt((await webServer((_request, response) => response.end(description.padEnd(chars)))).port)
    expect(await answer(65_536)).not.toBeNull()
    expect(await answer(65_537)).toBeNull()
  })

  it('accepts names of 253 characters with labels of 63, on port 465 or 587', () => {
    const found = (name: string, port = 465) => parseAutoconfig(outgoing(smtp(name, port, 'SSL')), 'example.com')?.host
    const long = `${'a.'.repeat(125)}com`
    expect([long.length, found(long), found(`a${long}`)]).toEqual([253, long, undefined])
    const label = (chars: number) => `${'a'.repeat(chars)}.example.com`
    expect([found(label(63)), found(label(64))]).toEqual([label(63), undefined])
    const ports = [464, 465, 466, 586, 587, 588].filter((port) => found('smtp.example.com', port) !== undefined)
    expect(ports).toEqual([465, 587])
  })

  it.each([
    ['without encryption', smtp('smtp.x.net', 587, 'plain')],
    ['an address', smtp('127.0.0.1', 587, 'STARTTLS')],
    ['a number', smtp('2130706433', 587, 'STARTTLS')],
    ['no name of a host', smtp('a b/../c', 587, 'STARTTLS')],
    ['an entity of its own', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${smtp('&e;', 587, 'STARTTLS')}`],
    ['nothing', ''],
    ['half a tag', '<outgoingServer type="smtp"><hostname>smtp.x.net'],
  ])('rejects a description that names %s', (_what, xml) => {
    expect(parseAutoconfig(outgoing(xml), 'example.com')).toBeNull()
  })

  it('selects the first usable server and inserts the domain', () => {
    const xml = outgoing(smtp('plain.x.net', 587, 'plain') + smtp('smtp.%EMAILDOMAIN%', 587, 'STARTTLS'))
    expect(parseAutoconfig(xml, 'example.com')).toEqual({
      host: 'smtp.example.com',
      port: 587,
      security: 'starttls',
    })
  })
})

describe('sixty concurrent discoveries with unresponsive name servers', () => {
  it('do not delay the lookup for a mail', async () => {
    const silent = createSocket('udp4')
    const requested = new Set<string>()
    silent.on('message', (query) =>
      requested.add(/(?<![\w-])[\w-]*autoconfig/.exec(query.toString('latin1'))?.[0] ?? ''),
    )
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    undo.push(() => silent.close())
    const nameServers = [`127.0.0.1:${silent.address().port}`]
    let endedCount = 0
    const discoveries = Array.from({ length: 60 }, async (_, at) => {
      const found = await discoverServer(`ann@domain${at}.example`, { allow: [] }, { nameServers })
      endedCount += 1
      return found
    })
    await expect.poll(() => requested.has('autoconfig')).toBe(true)
    expect(await lookupAll('localhost')).not.toEqual([])
    expect(endedCount).toBe(0)
    expect(new Set(await Promise.all(discoveries))).toEqual(new Set([null]))
  })
})
