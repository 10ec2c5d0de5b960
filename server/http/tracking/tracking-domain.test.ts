import { request as requestHttp } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { TrackingDomain } from '../../../contract/results/tracking-domain.ts'
import { readTrackingHost } from '../../domain/tracking/tracking-domain.ts'
import { createAuthority, type TestCertificate } from '../../../tests/support/certificate.ts'
import { startDnsServer } from '../../../tests/support/dns-server.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'

/** The server's own host, which the name server of the test knows. */
const target = 'localhost'
const hourMs = 3_600_000

const authority = createAuthority()
let dns: Awaited<ReturnType<typeof startDnsServer>>
let proxy: Server
let server: TestServer
let user: TestUser
let certificate: TestCertificate
let hostCount = 0

/** Passes requests on to the server, as the proxy of a deployment that holds its certificates. */
async function startProxy(): Promise<number> {
  proxy = createServer(authority.issue(target), (request, response) => {
    const passed = requestHttp(server.url + (request.url ?? '/'), { method: request.method, headers: request.headers })
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return (proxy.address() as AddressInfo).port
}

beforeAll(async () => {
  dns = await startDnsServer()
  dns.records.a.set(target, '127.0.0.1')
  const port = await startProxy()
  server = await startTestServer(
    { PUBLIC_URL: `https://${target}` },
    { trackingNetwork: { nameServers: [dns.nameServer], port, ca: authority.ca, isAllowed: () => true } },
  )
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  proxy.closeAllConnections()
  proxy.close()
  await dns[Symbol.asyncDispose]()
})
beforeEach(async () => {
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: '1 Main Street', tracking: 'identified' })
})

const wait = { interval: 100 }
const call = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, ...(body && { body }) })
const newHost = () => `links${++hostCount}.northwind-shop.com`
const add = async (host: string) => (await call('POST', '/email/tracking-domains', { host })).body as TrackingDomain
const check = async ({ id }: TrackingDomain) =>
  (await call('POST', `/email/tracking-domains/${id}/check`)).body as TrackingDomain
const certify = (host: string) => {
  certificate = authority.issue(host)
  proxy.setSecureContext(certificate)
}
/** A domain whose record and certificate are right. */
async function addActive(): Promise<TrackingDomain> {
  const host = newHost()
  dns.records.cname.set(host, target)
  certify(host)
  const active = await check(await add(host))
  expect(active).toMatchObject({ state: 'active', error: null })
  return active
}
async function launch(): Promise<{ id: string; to: string }> {
  const to = `reader${++hostCount}@example.com`
  const given = { subject: 'News', body: '<a href="https://example.org/a">A</a>', config_id: user.mailboxId }
  const { id } = (await call('POST', '/email/campaign', { ...given, recipients: [to] })).body as Campaign
  expect((await call('POST', `/email/campaign/${id}/launch`, {})).status).toBe(200)
  return { id, to }
}
const linkIn = async (to: string) =>
  /href="(https?:\/\/[^/]*)\/c\//.exec((await server.mailsTo(to))[0]?.html ?? '')?.[1]
/** The answer to a request for another host. */
const ask = (host: string, path: string) =>
  new Promise<number>((resolve, reject) => {
    const sent = requestHttp(server.url + path, { headers: { host } })
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    sent.on('error', reject)
    sent.end()
  })

it('TRACKING-34 the call that adds a domain shows the DNS record to copy and the state `pending`; a malformed or private host answers 422, one of another workspace 409', async () => {
  const host = newHost()
  const added = await call('POST', '/email/tracking-domains', { host: host.toUpperCase() })
  expect([added.status, added.body]).toMatchObject([
    201,
    { host, state: 'pending', record: { type: 'CNAME', name: host, value: target }, error: null },
  ])
  const wrong = [
    'no host',
    'localhost',
    'links.northwind.internal',
    '10.0.0.1',
    '[::1]',
    'northwind-shop.com',
    'links.no-such-suffix',
    'https://links.northwind-shop.com',
    'links.northwind-shop.com:8443',
  ]
  for (const one of wrong) {
    const answer = await call('POST', '/email/tracking-domains', { host: one })
    expect([one, answer.status]).toEqual([one, 422])
    expect(answer.text).toContain('links.example.com')
  }
  // Its other pages would be hidden.
  expect(readTrackingHost('pages.northwind-shop.com', 'mail.northwind-shop.com')).toBeNull()
  const other = await createUser(server)
  const taken = await call('POST', '/email/tracking-domains', { host }, other.token)
  expect([taken.status, taken.body.detail]).toEqual([
    409,
    'Another workspace uses this domain. Choose another subdomain.',
  ])
  expect((await call('GET', '/email/tracking-domains')).body).toHaveLength(1)
})

it('TRACKING-35 a domain becomes `active` only after its CNAME and its certificate have been checked; the answer names what to correct', async () => {
  const host = newHost()
  const domain = await add(host)
  const faults: string[] = []
  const checkAgain = async () => {
    const { state, error } = await check(domain)
    expect(state).toBe('pending')
    faults.push(error ?? '')
  }
  await checkAgain()
  dns.records.cname.set(host, 'other.northwind-shop.com').set('other.northwind-shop.com', host)
  await checkAgain()
  dns.records.cname.set(host, 'elsewhere.example.com')
  await checkAgain()
  dns.records.cname.set(host, target)
  proxy.setSecureContext(authority.issue('another-host.com'))
  await checkAgain()
  expect(faults).toEqual([
    expect.stringContaining(`has no CNAME record. Create it with the value ${target}`),
    expect.stringContaining(`form a loop: ${host} → other.northwind-shop.com → ${host}`),
    expect.stringContaining(`leads to elsewhere.example.com. Change its value to ${target}`),
    expect.stringContaining(`The certificate of ${host} is not valid for it`),
  ])
  certify(host)
  expect(await check(domain)).toMatchObject({ state: 'active', error: null })
})

it('TRACKING-36 a failing domain is used by no new mail, and the owner gets a mail that names it', async () => {
  const { host } = await addActive()
  expect(await linkIn((await launch()).to)).toBe(`https://${host}`)
  dns.records.cname.delete(host)
  server.advance(hourMs + 60_000)
  await expect
    .poll(async () => ((await call('GET', '/email/tracking-domains')).body as TrackingDomain[])[0], {
      timeout: 90_000,
      interval: 500,
    })
    .toMatchObject({ state: 'failing', error: expect.stringContaining('no CNAME record') as string })
  expect(await linkIn((await launch()).to)).toBe(`https://${target}`)
  const named = async () => (await server.mailsTo(user.email)).some(({ subject }) => subject.includes(host))
  await expect.poll(named, wait).toBe(true)
}, 120_000)

it('TRACKING-37 a running campaign keeps the link base that it had at its launch when the domain fails or is removed', async () => {
  const domain = await addActive()
  await server.sql(
    `update email_configs set status = 'paused', paused_until = now() + interval '1 hour' where id = $1`,
    [user.mailboxId],
  )
  const { to } = await launch()
  dns.records.cname.delete(domain.host)
  expect(await check(domain)).toMatchObject({ state: 'failing' })
  await call('DELETE', `/email/tracking-domains/${domain.id}`)
  await server.sql(`update email_configs set status = 'active', paused_until = null where id = $1`, [user.mailboxId])
  expect(await linkIn(to)).toBe(`https://${domain.host}`)
})

it('TRACKING-38 a tracking domain serves images, links, unsubscribe and preferences only', async () => {
  const { host } = await addActive()
  const { to } = await launch()
  const [mail] = await server.mailsTo(to)
  const pathOf = (part: string) =>
    new RegExp(`"https://[^/"]*(/${part}/[^"]*)"`).exec(mail?.html ?? '')![1]!.replaceAll('&amp;', '&')
  await expect.poll(() => ask(host, '/login'), wait).toBe(404)
  const unsubscribe = pathOf('unsubscribe')
  const open = [pathOf('o'), pathOf('c'), unsubscribe, unsubscribe.replace('/unsubscribe/', '/preferences/')]
  expect(await Promise.all(open.map((path) => ask(host, path)))).toEqual([200, 302, 200, 200])
  for (const path of ['/', '/login', '/dashboard', '/email/campaign', '/health', '/tracking/allow-host?domain=x'])
    expect([path, await ask(host, path)]).toEqual([path, 404])
  expect(await ask(target, '/login')).toBe(200)
})

it('TRACKING-39 the call for certificates on demand answers 200 for a tracking domain of a workspace and 404 for a host that none has', async () => {
  const { host } = await add(newHost())
  const allow = async (domain: string) => (await server.call('GET', `/tracking/allow-host?domain=${domain}`)).status
  expect([await allow(host), await allow(host.toUpperCase()), await allow(`x.${host}`), await allow(target)]).toEqual([
    200, 200, 404, 404,
  ])
})
