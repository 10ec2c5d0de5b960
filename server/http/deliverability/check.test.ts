import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckPart, DeliverabilityCheck } from '../../../contract/checks/deliverability.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, useServer } from '../../../tests/support/server.ts'

let user: TestUser
let configId: string
const requests: string[] = []
const site = createServer((request, response) => {
  requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
  if (request.url === '/moved') response.writeHead(302, { location: '/here' }).end()
  else if (request.url === '/inside') response.writeHead(302, { location: 'http://[::1]:1/x' }).end()
  else if (request.url === '/get-only' && request.method === 'HEAD') response.writeHead(405).end()
  else response.writeHead(request.url === '/gone' ? 404 : 200).end()
})
let siteUrl: string

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
  const { body } = await server.call('GET', '/email/configs', { token: user.token })
  configId = (body as { id: string }[])[0]!.id
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

const start = (body: string, more: object = {}, token = user.token) =>
  server.call('POST', '/email/deliverability', {
    token,
    body: { config_id: configId, subject: 'Doors open', body, ...more },
  })
const part = (check: DeliverabilityCheck, name: CheckPart['part']) => check.parts.find((one) => one.part === name)!

describe('the check before sending', () => {
  it('CHECK-17 As long as mailboxes are not read, the self-test is shown as not available yet, and the other parts of the check are done.', async () => {
    const { status, body } = await start('<p>Hello {{plan}}</p><img src="https://a.se/x.png">')
    const check = body as DeliverabilityCheck
    expect(status).toBe(200)
    expect(part(check, 'self_test')).toMatchObject({
      state: 'not_possible',
      reason: 'The self-test is not available yet: mailboxes are not read.',
    })
    expect(part(check, 'message').findings.map(({ rule, place }) => [rule, place])).toEqual([
      ['variable_unfilled', 'plan'],
      ['images_only', null],
      ['alt_missing', 'https://a.se/x.png'],
    ])
    expect(part(check, 'links')).toMatchObject({ state: 'done', findings: [] })
    expect(part(check, 'dns')).toMatchObject({
      state: 'not_possible',
      reason: 'The sandbox has no domain. Choose a mailbox of your own.',
    })
    expect(check.score).toBe(65)
    expect((await server.call('GET', `/email/deliverability/${check.id}`, { token: user.token })).body).toEqual(check)
  })

  it('CHECK-18 With a SpamAssassin or rspamd server named by the operator, the check shows its score; without one, the check is complete without it.', async () => {
    const without = (await start('<p>Hello</p>')).body as DeliverabilityCheck
    expect(without.parts.map((one) => one.part)).toEqual(['message', 'links', 'dns', 'self_test'])
    const asked: string[] = []
    const filter = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        asked.push(text)
        response.end(JSON.stringify({ score: 17.5, required_score: 15, symbols: { FORGED: {}, NO_LINKS: {} } }))
      })
    })
    await new Promise<void>((resolve) => filter.listen(0, '127.0.0.1', resolve))
    const { port } = filter.address() as AddressInfo
    await using other = await startTestServer({ SPAMD_URL: `http://127.0.0.1:${port}` })
    const { token } = await createUser(other)
    const { body: configs } = await other.call('GET', '/email/configs', { token })
    const mail = {
      config_id: (configs as { id: string }[])[0]!.id,
      subject: 'Doors open',
      body: '<p>Hello {{name}}</p>',
    }
    const check = () =>
      other.call('POST', '/email/deliverability', { token, body: { ...mail, context: { name: 'Ann' } } })
    expect(part((await check()).body as DeliverabilityCheck, 'spam')).toMatchObject({
      state: 'done',
      findings: [
        {
          severity: 'error',
          sentence: 'rspamd gives 17.5 points; from 15 points on, a mail is spam.',
          remedy: 'Change what its rules name, then check again. It names FORGED, NO_LINKS.',
        },
      ],
    })
    expect(asked[0]).toContain(Buffer.from('<p>Hello Ann</p>').toString('base64'))
    filter.closeAllConnections()
    await new Promise((resolve) => filter.close(resolve))
    expect(part((await check()).body as DeliverabilityCheck, 'spam')).toMatchObject({
      state: 'not_possible',
      reason: 'The spam filter did not answer. Try again in a moment.',
    })
  })

  it('a mail to many is checked with the footer that it leaves with', async () => {
    const bulk = async () =>
      part((await start('<p>Hello</p>', { kind: 'bulk' })).body as DeliverabilityCheck, 'message')
    expect((await bulk()).findings.map(({ rule }) => rule)).not.toContain('unsubscribe_missing')
  })

  it('CHECK-02 Each finding of the check has a sentence that says what to do about it.', async () => {
    const bad = `<p style="color:#ccc">ACT NOW, dear friend {{plan}}!! $$$</p><img src="x.png"><form></form>
      <a href="http://bit.ly/x">www.bank.se</a><a href="${siteUrl}/gone">Click here</a><a href="http://[::1]/">Three</a>`
    const check = (await start(bad, { subject: 'RE: FREE MONEY!!' })).body as DeliverabilityCheck
    const findings = check.parts.flatMap((one) => one.findings)
    expect(new Set(findings.map(({ rule }) => rule)).size).toBeGreaterThan(8)
    for (const { sentence, remedy } of findings) {
      expect(sentence).toMatch(/^[A-Z“{].{8,}[.:]$/s)
      expect(remedy).toMatch(/^[A-Z].{8,}[.:}]$/s)
      expect(remedy).not.toBe(sentence)
    }
    expect(check.parts.filter(({ state }) => state === 'not_possible').every(({ reason }) => reason !== null)).toBe(
      true,
    )
  })

  it('CHECK-16 The check of links opens no address in a private or loopback network.', async () => {
    requests.length = 0
    const { body } = await start(
      `<p>Hello</p><a href="${siteUrl}/private">One</a><a href="http://169.254.169.254/latest">Two</a><a href="http://localhost:${new URL(siteUrl).port}/x">Three</a>`,
    )
    expect(part(body as DeliverabilityCheck, 'links').findings.map(({ rule }) => rule)).toEqual([
      'link_private',
      'link_private',
      'link_private',
    ])
    expect(requests).toEqual([])
  })

  it('of another workspace’s mailbox or check answers 404', async () => {
    const other = await createUser(server)
    expect((await start('<p>Hello</p>', {}, other.token)).status).toBe(404)
    const { id } = (await start('<p>Hello</p>')).body as DeliverabilityCheck
    expect((await server.call('GET', `/email/deliverability/${id}`, { token: other.token })).status).toBe(404)
  })
})
