import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const proxy = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'

let sink: SmtpSink
let server: TestServer
let user: TestUser
let mailbox: { id: string; secret_key: string }
beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (to) => (to.startsWith('gone') ? '550 5.1.1 No such user' : undefined) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1', tracking: 'identified' })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const config = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  mailbox = (await call('POST', '/email/config', config)) as typeof mailbox
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const call = async (method: string, path: string, body?: object) =>
  (await server.call(method, path, { token: user.token, ...(body && { body }) })).body as unknown
const days = async () => (await call('GET', '/email/statistics?days=3')) as DayCounts[]
const today = async () => (await days()).at(-1)!

async function launch(recipients: string[]): Promise<void> {
  const body = '<p><a href="https://example.com/a">Read</a></p>'
  const { id } = (await call('POST', '/email/campaign', {
    ...{ subject: 'News', body, config_id: mailbox.id, recipients },
  })) as { id: string }
  await call('POST', `/email/campaign/${id}/launch`, {})
  await expect
    .poll(async () => ((await call('GET', `/email/campaign/${id}`)) as { status: string }).status)
    .toBe('finished')
}

/** The paths of a mail's image and link. */
async function linksOf(to: string): Promise<{ pixel: string; click: string }> {
  const { raw } = sink.mails.find((mail) => mail.to.includes(to))!
  const { html } = await simpleParser(raw, { keepCidLinks: true })
  const path = (pattern: RegExp) => pattern.exec(String(html))![1]!.replaceAll('&amp;', '&')
  return { pixel: path(/src="https?:\/\/[^/]*(\/o\/[^"]*)"/), click: path(/href="https?:\/\/[^/]*(\/c\/[^"]*)"/) }
}
const visit = (path: string, agent: string) =>
  fetch(server.url + path, { redirect: 'manual', headers: { 'user-agent': agent } })

it('HOME-14 HOME-11 HOME-10 GET /email/statistics gives for each day the people who opened and clicked, and the bounced, beside sent; opened and clicked count people only: machine acts are in neither; test mails are in none of the figures', async () => {
  await launch(['ada@example.org', 'bo@example.org', 'gone@example.org'])
  // A proxy that fetches a mail as soon as it arrives is a machine.
  await visit((await linksOf('bo@example.org')).pixel, proxy)
  // A click so soon after the mail would be a scanner's.
  await server.sql(
    `update deliveries set settled_at = settled_at - interval '20 seconds' where recipient = 'ada@example.org'`,
  )
  const { pixel, click } = await linksOf('ada@example.org')
  await visit(pixel, firefox)
  await visit(click, firefox)
  const figures = { sent: 2, failed: 1, delivered: 2, opened: 1, clicked: 1, replied: 0, bounced: 1, unsubscribed: 0 }
  await expect.poll(today).toMatchObject(figures)
  const machines = async () =>
    (await server.sql<{ n: number }>('select people::int as n from source_counts where kind = 1 and verdict = 3'))[0]?.n
  await expect.poll(machines).toBe(1)
  expect(await today()).toMatchObject(figures)
  const [before, last] = (await days()).slice(0, 2)
  for (const day of [before, last]) expect(day).toMatchObject({ sent: 0, opened: 0, clicked: 0, bounced: 0 })

  const test = { subject: 'A test', content: '<p>Hello</p>', is_test: true, tracking: 'identified' }
  await call('POST', `/email/send-mail/${mailbox.secret_key}`, { ...test, recipient_list: ['test@example.org'] })
  await call('POST', `/email/send-mail/${mailbox.secret_key}`, { ...test, recipient_list: ['gone.test@example.org'] })
  await expect.poll(() => sink.recipients()).toContain('test@example.org')
  const waiting = async () => (await server.sql('select 1 from event_inbox')).length
  await expect.poll(waiting).toBe(0)
  expect(await today()).toMatchObject({ ...figures, waiting: 0 })
})

it('streams the figures now and after each change, and those of a reload after a new connection', async () => {
  const aborter = new AbortController()
  const answer = await fetch(`${server.url}/email/statistics/events?days=1`, {
    headers: { authorization: `Bearer ${user.token}` },
    signal: aborter.signal,
  })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => {
    for (;;) {
      const { value } = await reader.read()
      const data = /^data: (.*)$/m.exec(value ?? '')?.[1]
      if (data !== undefined) return (JSON.parse(data) as DayCounts[])[0]!
    }
  }
  const first = await next()
  expect(first).toEqual(await today())
  await launch(['cy@example.org'])
  let last = first
  while (last.sent === first.sent || last.waiting > 0) last = await next()
  expect(last).toEqual(await today())
  await visit((await linksOf('cy@example.org')).pixel, firefox)
  while (last.opened === first.opened) last = await next()
  expect(last).toEqual(await today())
  expect(last.opened).toBe(first.opened + 1)
  aborter.abort()
})

it('an unknown time zone is answered with 422 before a stream begins', async () => {
  const answer = await server.call('GET', '/email/statistics/events?timezone=Mars', { token: user.token })
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', 'timezone']])
})
