import { beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

/** The value of a series, by its name and labels as in the text; null if there is none. */
const valueOf = (text: string, series: string): number | null => {
  const line = text.split('\n').find((entry) => entry.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}
const scrape = async () => (await server.call('GET', '/metrics')).text

describe('GET /metrics', () => {
  it('reports the queue, settled deliveries, accept durations and event loop delay', async () => {
    const before = await scrape()
    const body = { recipient_list: ['bob@example.com'], subject: 'Hi', content: 'Hello' }
    await server.call('POST', `/api/send-mail/${user.secretKey}`, { body })
    await server.mailsTo('bob@example.com')
    const sent = 'sendwright_deliveries_settled_total{state="sent"}'
    const grown = async () => valueOf(await scrape(), sent)! - valueOf(before, sent)!
    await expect.poll(grown).toBe(1)

    const text = await scrape()
    const grownBy = (series: string) => valueOf(text, series)! - (valueOf(before, series) ?? 0)
    expect(grownBy('sendwright_accept_seconds_count')).toBe(1)
    const route = '{operation="sendMailWithKeyApi",status="200"}'
    expect(grownBy(`sendwright_http_request_seconds_count${route}`)).toBe(1)
    for (const state of ['queued', 'deferred', 'sending']) {
      expect(valueOf(text, `sendwright_queue_deliveries{state="${state}"}`)).toBe(0)
    }
    expect(valueOf(text, 'sendwright_mailboxes{status="active"}')).toBeGreaterThanOrEqual(1)
    expect(valueOf(text, 'sendwright_database_up')).toBe(1)
    expect(valueOf(text, 'sendwright_event_loop_lag_seconds{quantile="0.99"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'sendwright_process_memory_bytes{kind="resident"}')).toBeGreaterThan(1e6)
  })

  it('has Prometheus’s text format, and no-store', async () => {
    const { headers, text } = await server.call('GET', '/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(headers.get('cache-control')).toBe('no-store')
    for (const line of text.split('\n').filter((entry) => entry !== '' && !entry.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+$/)
    }
  })

  it('H40 contains no key, address or id', async () => {
    await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: {} })
    await server.call('GET', `/auth/reset-password/${encodeURIComponent(user.email)}`)
    const text = await scrape()
    expect(text).not.toMatch(/[ca]t?k?_[\w-]{20}|@|[0-9a-f]{8}-[0-9a-f]{4}/)
  })

  it.each([{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }, { via: '1.1 proxy' }])(
    'does not exist through a proxy (%j)',
    async (headers) => {
      expect((await server.call('GET', '/metrics', { headers })).status).toBe(404)
    },
  )
})

describe('with METRICS_TOKEN', () => {
  const token = 'a-token-of-our-own-0123'

  it('requires it, from any address', async () => {
    await using guarded = await startTestServer({ METRICS_TOKEN: token })
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect((await guarded.call('GET', '/metrics')).status).toBe(404)
    expect((await guarded.call('GET', '/metrics', { token: `${token}x` })).status).toBe(404)
    expect((await guarded.call('GET', '/metrics', { token, headers: forwarded })).status).toBe(200)
    expect(guarded.logged()).not.toContain(token)
  })
})
