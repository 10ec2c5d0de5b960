import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

const mail = { recipient_list: ['a@example.com'], subject: 'Hello', content: 'Good morning.' }
const send = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  server.call('POST', `/api/send-mail/${user.secretKey}`, { raw, headers })
const json = JSON.stringify(mail)

/** A request with headers that fetch does not allow. */
function rawRequest(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const request = httpRequest({ hostname, port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

describe('a body', () => {
  it.each<[string, string | Buffer, Record<string, string>, number]>([
    ['is read as JSON with a charset too', json, { 'content-type': 'application/json; charset=utf-8' }, 200],
    ['broken off', json.slice(0, -5), {}, 400],
    ['with a byte order mark', `\uFEFF${json}`, {}, 400],
    ['that is not UTF-8', Buffer.from(json.replace('Hello', 'H\u00e9llo'), 'latin1'), {}, 400],
    ['with a key twice', json.replace('{', '{"subject":"first",'), {}, 400],
    ['nested ten thousand deep', '['.repeat(10_000) + ']'.repeat(10_000), {}, 400],
    ['that is a number', '5', {}, 422],
    ['that is null', 'null', {}, 422],
    ['that is empty', '', {}, 422],
    ['sent as text', json, { 'content-type': 'text/plain' }, 415],
    ['sent as a form', 'subject=Hello', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['sent in parts', '--b\r\n\r\nx\r\n--b--', { 'content-type': 'multipart/form-data; boundary=b' }, 415],
    ['with a content type that is cut off by a tab', json, { 'content-type': 'application/json\ta' }, 415],
    ['that is packed', gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }, 415],
    ['of a megabyte', json.padEnd(1_048_576), {}, 200],
    ['over a megabyte', json.padEnd(1_048_577), {}, 413],
  ])('H37 %s', async (_what, raw, headers, status) => {
    const answer = await send(raw, headers)
    expect(answer.status).toBe(status)
    if (status !== 200) expect(answer.body.detail).toBeTruthy()
  })

  it('is not required for a call without one, with any content type', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await server.call('DELETE', '/email/configs/none', { token: user.token, headers })).status).toBe(404)
  })
})

describe('a path', () => {
  it('without a route returns 404 to programs', async () => {
    const nothing = { status: 404, body: { detail: expect.stringContaining('Not found') as string } }
    expect(await server.call('GET', '/email/nothing')).toMatchObject(nothing)
    expect(await server.call('POST', '/nothing')).toMatchObject(nothing)
    expect(await server.call('GET', '/nothing', { headers: { accept: 'application/json' } })).toMatchObject(nothing)
    expect((await server.call('POST', '/auth/../../etc/passwd')).status).toBe(404)
    expect((await server.call('GET', '/%E0%A4%A')).status).toBe(404)
  })

  it('with another method returns 405 and names the right one', async () => {
    const answer = await server.call('GET', '/auth/login')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it('works with and without a trailing slash', async () => {
    expect((await server.call('POST', '/auth', { body: {} })).status).toBe(422)
    expect((await server.call('POST', '/auth/', { body: {} })).status).toBe(422)
  })

  it('ROUTES-21 TRIAL-22 that is no page, call or file redirects to /, and / is a page', async () => {
    for (const path of ['/nothing', '/no/such/page', '/dashboard/none', '/index.html', '/old-page.php']) {
      const answer = await server.call('GET', path)
      expect([answer.status, answer.headers.get('location')], path).toEqual([302, '/'])
    }
    expect((await fetch(`${server.url}/old-page.php`)).status).toBe(200)
  })

  it('TRIAL-23 of a page returns it to curl, uptime checks and link previews: with any Accept, or none', async () => {
    const { host } = new URL(server.url)
    for (const path of ['/', '/login']) {
      const answer = await server.call('GET', path, { headers: { accept: '*/*' } })
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8'])
      expect(await rawRequest(path, { host }), `${path} without Accept`).toBe(200)
    }
  })

  it('opened by a browser returns the dashboard’s page', async () => {
    for (const path of ['/', '/login', '/dashboard/send_email']) {
      const answer = await server.call('GET', path, { headers: { accept: 'text/html,application/xhtml+xml' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(answer.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'")
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('of the preview frame has a policy of its own, and may be framed by our own origin only', async () => {
    const answer = await server.call('GET', '/preview-frame')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; frame-ancestors 'self'; sandbox allow-same-origin",
    )
    expect(answer.headers.has('x-frame-options')).toBe(false)
  })

  it('TRIAL-51 of a page has a Permissions-Policy and X-Frame-Options: DENY beside frame-ancestors none; only /preview-frame differs', async () => {
    const pages = ['/', '/login', '/dashboard/send_email', '/assets/none.js', '/unsubscribe/none', '/preview-frame']
    const differing: string[] = []
    for (const path of pages) {
      const { headers } = await server.call('GET', path, { headers: { accept: 'text/html' } })
      expect([path, headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8'])
      expect(headers.get('permissions-policy')).toMatch(/^(?:[a-z-]+=\(\), )+[a-z-]+=\(\)$/)
      expect(headers.get('permissions-policy')).toContain('camera=()')
      const isDenied = (headers.get('content-security-policy') ?? '').includes("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe(isDenied ? 'DENY' : null)
      if (!isDenied) differing.push(path)
    }
    expect(differing).toEqual(['/preview-frame'])
  })

  it.each([
    '/assets/..%2f..%2fpackage.json',
    '/assets/%00',
    '/embed/%00',
    '/embed/%2e%2e/x',
    '/assets/../x',
    '/embed/a%00.js',
  ])('TRIAL-50 of a file outside the built ones returns 404: %s', async (path) => {
    const host = new URL(server.url).host
    expect(await rawRequest(path, { host })).toBe(404)
    expect(await rawRequest(path, { host, accept: 'text/html' })).toBe(404)
  })

  it('outside the built files serves none of them', async () => {
    for (const path of ['/assets/../index.html', '/assets/%2e%2e/%2e%2e/%2e%2e/package.json', '/assets//etc/passwd']) {
      expect((await server.call('GET', path)).text).not.toMatch(/"sendwright"|root:/)
    }
  })
})

describe('the sandbox', () => {
  it('returns one mail by its id', async () => {
    await server.call('POST', `/api/send-mail/${user.secretKey}`, {
      body: { ...mail, recipient_list: ['one@example.com'] },
    })
    const [listed] = await server.mailsTo('ONE@example.com')
    const answer = await server.call('GET', `/sandbox/messages/${listed!.id}`)
    expect(answer.body).toEqual(listed)
    expect(Object.keys(listed!)).toEqual(['id', 'from', 'to', 'subject', 'date', 'html', 'text', 'headers', 'raw'])
    for (const id of ['0', 'x', '99999999999999999999', '-1', '%00']) {
      expect((await server.call('GET', `/sandbox/messages/${id}`)).status).toBe(404)
    }
  })

  it('H37 a filter that is not text returns 422', async () => {
    expect((await server.call('GET', '/sandbox/messages?to=%00')).status).toBe(422)
  })

  it('lists the newest first, with a limit', async () => {
    for (const subject of ['first', 'second', 'third']) {
      await server.call('POST', `/api/send-mail/${user.secretKey}`, {
        body: { ...mail, subject, recipient_list: ['row@example.com'] },
      })
      await expect.poll(async () => (await server.mailsTo('row@example.com'))[0]!.subject).toBe(subject)
    }
    const { body } = await server.call('GET', '/sandbox/messages?to=row@example.com&limit=2')
    expect(body.map((message: { subject: string }) => message.subject)).toEqual(['third', 'second'])
  })

  it.each([
    ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['through a standard proxy', { forwarded: 'for=203.0.113.9' }],
    ['under a rebound name', { host: 'evil.example' }],
    ['under a name that begins like ours', { host: '127.0.0.1.evil.example' }],
  ])('is not available %s', async (_what, headers) => {
    expect(await rawRequest('/sandbox/messages', { host: new URL(server.url).host, ...headers })).toBe(404)
  })

  it('is available on this machine', async () => {
    expect(await rawRequest('/sandbox/messages', { host: new URL(server.url).host })).toBe(200)
    expect(await rawRequest('/sandbox/messages', { host: '127.0.0.1:1' })).toBe(200)
  })

  it('does not exist when it is off', async () => {
    await using bare = await startTestServer({ SANDBOX: 'off' })
    const gone = await bare.call('GET', '/sandbox/messages')
    expect([gone.status, gone.text]).toEqual([404, (await bare.call('GET', '/email/nothing')).text])
    expect(bare.server.demo).toBeNull()
    expect(await bare.sql('select id from users')).toEqual([])
  })

  it('provides a working sign-in and key for a new user', async () => {
    const { email, password, secretKey } = server.server.demo!
    expect((await server.call('POST', '/auth/login', { body: { email, password } })).body).toMatchObject({
      confirmed_email: true,
    })
    expect((await server.call('POST', `/api/send-mail/${secretKey}`, { body: mail })).status).toBe(200)
  })
})

describe('health', () => {
  it('reports that the process is alive, and that database and sender are ready', async () => {
    expect(await server.call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
    await expect
      .poll(async () => (await server.call('GET', '/ready')).body)
      .toEqual({ status: 'ready', database: true, sender: true })
  })

  it('H59 a failing database gives neutral messages, no stack, and no readiness', async () => {
    await using broken = await startTestServer()
    const token = (await createUser(broken)).token
    await broken.sql('alter table sessions rename to sessions_away')
    const answer = await broken.call('GET', '/auth/user', { token })
    expect(answer).toMatchObject({
      status: 500,
      body: { detail: 'Something went wrong on our side. Try again in a moment.' },
    })
    expect(Object.keys(answer.body as object)).toEqual(['detail'])
    expect(broken.logged()).toContain('sessions')
    expect(broken.logged()).not.toContain(token)
  })
})

describe('the API description', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { body } = await server.call('GET', '/openapi.json')
    expect(body.openapi).toMatch(/^3\.1/)
    const { valid, errors } = await new Validator().validate(structuredClone(body))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })
})
