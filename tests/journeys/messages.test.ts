import { randomUUID } from 'node:crypto'
import { simpleParser } from 'mailparser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeViolations, connectBrowser, openPage } from '../support/browser.ts'
import { createTestEmbed, type TestEmbed } from '../support/embeds.ts'
import { createUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type Answer, type SmtpSink } from '../support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let browser: Browser
let site: TestEmbed
let secretKey: string
const replies = new Map<string, Answer>()
beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (to) => replies.get(to) })
  ;[server, browser] = await Promise.all([startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` }), connectBrowser()])
  site = await createTestEmbed(server)
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const config = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  secretKey = ((await call('POST', '/email/config', config)) as { secret_key: string }).secret_key
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const call = async (method: string, path: string, body?: object) =>
  (await server.call(method, path, { token: site.user.token, ...(body && { body }) })).body as unknown
const send = async (subject: string, recipients: string[], more: object = {}) => {
  const mail = { recipient_list: recipients, subject, content: '<p>Hello</p>', ...more }
  return ((await call('POST', `/email/send-mail/${secretKey}`, mail)) as { id: string }).id
}

async function open(user: { token: string }, path = '/dashboard/messages', options: { allowFaults?: RegExp } = {}) {
  const opened = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options })
  const { page } = opened
  await enterDashboard(page, server, user, path)
  return opened
}
const rowOf = (page: Page, subject: string) =>
  page.getByRole('table', { name: 'Messages' }).getByRole('row').filter({ hasText: subject })
const cellsOf = (page: Page, subject: string) => rowOf(page, subject).getByRole('cell').allInnerTexts()

it('MESSAGES-15 Messages of a workspace that has sent none shows a curl sample', async () => {
  await using opened = await open(await createUser(server))
  const sample = opened.page.locator('pre', { hasText: 'curl ' })
  await sample.waitFor()
  await expect.poll(() => sample.innerText()).toContain(`${server.url}/api/send-mail/`)
  expect(await axeViolations(opened.page)).toEqual([])
})

it('MESSAGES-01 Messages lists the mails of dashboard, API and embed with origin, mailbox, subject, recipients, state and figures', async () => {
  const content = '<p>Read <a href="https://example.com/a">this</a></p>'
  const tracked = { content, tracking: 'identified' }
  await send('Of the dashboard', ['ada@example.org', 'bo@example.org'])
  const mail = { recipient_list: ['cy@example.org'], subject: 'Of the API', is_html: true, ...tracked }
  await call('POST', `/api/send-mail/${secretKey}`, mail)
  const token = await site.token()
  const [own] = (await site.from(token, 'GET', '/email/configs')).body as { secret_key: string }[]
  const body = { recipient_list: ['di@example.org'], subject: 'Of the embed', content: '<p>Hi</p>' }
  await site.from(token, 'POST', `/email/send-mail/${own!.secret_key}`, { body })
  await expect.poll(() => sink.recipients()).toContain('cy@example.org')
  const { raw } = sink.mails.find(({ to }) => to.includes('cy@example.org'))!
  const { html } = await simpleParser(raw, { keepCidLinks: true })
  const pixel = /src="https?:\/\/[^/]*(\/o\/[^"]*)"/.exec(String(html))![1]!
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
  await fetch(server.url + pixel, { headers: { 'user-agent': agent } })

  await using opened = await open(site.user)
  const { page } = opened
  await rowOf(page, 'Of the embed').waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      await rowOf(page, 'Of the API').waitFor()
      return (await cellsOf(page, 'Of the API')).slice(0, 6)
    })
    .toEqual(['Of the API\ncy@example.org', 'API', 'shop@example.com', '1 Sent', '1', '–'])
  expect((await cellsOf(page, 'Of the dashboard')).slice(0, 4)).toEqual([
    'Of the dashboard\nada@example.org, bo@example.org',
    'Dashboard',
    'shop@example.com',
    '2 Sent',
  ])
  expect((await cellsOf(page, 'Of the embed')).slice(0, 2)).toEqual(['Of the embed\ndi@example.org', 'Embed'])
  expect(await axeViolations(page)).toEqual([])
})

it('MESSAGES-16 A filter without a match offers Clear filters; a failed load shows an error with Try Again', async () => {
  await send('To be filtered', ['filter@example.org'])
  await using opened = await open(site.user, '/dashboard/messages', { allowFaults: /503/ })
  const { page } = opened
  await rowOf(page, 'To be filtered').waitFor()
  await page.getByLabel('Sent by', { exact: true }).selectOption({ label: 'SMTP' })
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rowOf(page, 'To be filtered').waitFor()
  await page.getByLabel('Mailbox', { exact: true }).selectOption({ label: 'shop@example.com' })
  await page.getByLabel('Sent within').selectOption({ label: 'Last 24 hours' })
  await page.getByLabel('State', { exact: true }).selectOption({ label: 'Sent' })
  await page.getByLabel('Search messages').fill('filter@example.org')
  await expect.poll(() => rowOf(page, '').count()).toBe(2)
  await rowOf(page, 'To be filtered').waitFor()
  await page.route('**/email/messages?*', (route) => route.fulfill({ status: 503, json: { detail: 'Starting.' } }))
  await page.goto(`${server.url}/dashboard/messages`)
  await page.getByText('The messages could not be loaded').waitFor()
  await page.unroute('**/email/messages?*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await rowOf(page, 'To be filtered').waitFor()
})

it('MESSAGES-08 MESSAGES-09 The HTML of an opened message is drawn in a sandboxed frame: no script of it runs; links in it lead nowhere on a click and show their destination; looking at it counts no open and no click', async () => {
  const link = '<a href="https://example.com/offer">The offer</a>'
  const content = `<p>Dear reader</p>${link}<script>top.ran = 1</script><img src="x" onerror="top.ran = 1">`
  const id = await send('Looked at', ['look@example.org'], { content, tracking: 'identified' })
  await expect.poll(() => sink.recipients()).toContain('look@example.org')
  await using opened = await open(site.user, `/dashboard/messages#${id}`)
  const { page } = opened
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const frame = page.getByTitle('The mail Looked at')
  const mail = page.frameLocator('iframe[title="The mail Looked at"]')
  await mail.getByText('Dear reader').waitFor()
  await expect.poll(() => frame.getAttribute('sandbox')).toBe('allow-same-origin')
  expect(await mail.locator('script').count()).toBe(0)
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
  await expect.poll(() => mail.getByText('The offer').getAttribute('title')).toBe('https://example.com/offer')
  const before = page.url()
  await mail.getByText('The offer').click()
  await page.getByText('1 link in this mail').click()
  await page.getByRole('listitem').filter({ hasText: 'The offer' }).getByText('https://example.com/offer').waitFor()
  expect([page.url(), page.context().pages().length]).toEqual([before, 1])
  await mail.getByText('Dear reader').waitFor()
  expect(asked.filter((url) => /\/(o|c)\/|example\.com/.test(url))).toEqual([])
  const hits = await server.sql(
    `select 1 from event_inbox where kind in (1, 2) and message_id = $1
     union all select 1 from events e join deliveries d on d.id = e.delivery_id where d.message_id = $1 and e.kind in (1, 2)`,
    [id],
  )
  expect(hits).toEqual([])
  expect(await axeViolations(page)).toEqual([])
})

it('MESSAGES-10 MESSAGES-11 MESSAGES-12 A message shows for each recipient its attempts with the mail server’s reply to each; "Resend to failed" sends to the failed recipients only, and the message shows their new state; a message without failed recipients offers no resend', async () => {
  // A second attempt has addresses of its own.
  const run = randomUUID().slice(0, 8)
  const [fine, later, gone] = [`fine-${run}@example.org`, `later-${run}@example.org`, `gone-${run}@example.org`]
  replies.set(later, '451 4.3.2 Try again later')
  replies.set(gone, '550 5.7.1 Refused by policy')
  const id = await send('Attempts', [fine, later, gone])
  await using opened = await open(site.user, `/dashboard/messages#${id}`)
  const { page } = opened
  const table = page.getByRole('table', { name: 'Recipients' })
  const cells = (address: string) =>
    table.getByRole('row').filter({ hasText: address }).getByRole('cell').allInnerTexts()
  await expect.poll(() => cells(later)).toHaveLength(4)
  await expect.poll(async () => (await cells(later))[1]).toBe('Deferred')
  replies.delete(later)
  await server.sql("update deliveries set next_attempt_at = now() where message_id = $1 and state = 'deferred'", [id])
  await expect.poll(async () => (await cells(later)).slice(1, 3)).toEqual(['Sent', '2'])
  const ofLater = (await cells(later))[3]!.split('\n').filter((line) => line !== '')
  expect(ofLater).toHaveLength(2)
  expect(ofLater[0]).toMatch(/^\d\d:\d\d 451 4\.3\.2 Try again later/)
  expect(ofLater[1]).toMatch(/^\d\d:\d\d 250 /)
  expect((await cells(fine)).slice(1, 3)).toEqual(['Sent', '1'])
  expect((await cells(fine))[3]).toMatch(/^\d\d:\d\d 250 /)
  expect((await cells(gone)).slice(1, 3)).toEqual(['Failed', '1'])
  expect((await cells(gone))[3]).toMatch(/^\d\d:\d\d 550 5\.7\.1 Refused by policy/)
  expect(await axeViolations(page)).toEqual([])

  replies.delete(gone)
  await page.getByRole('button', { name: 'Resend to 1 failed' }).click()
  await expect.poll(async () => (await cells(gone))[1]).toBe('Sent')
  await expect.poll(() => page.getByRole('button', { name: /Resend/ }).count()).toBe(0)
  const received = sink.recipients().filter((to) => to.includes(run))
  expect(received.toSorted()).toEqual([fine, gone, later])
})

it('MESSAGES-14 A message whose content has been dropped answers 410 content_gone, and the screen says so in a sentence', async () => {
  const id = await send('Long ago', ['old@example.org'])
  const { deliveries } = (await call('GET', `/email/messages/${id}`)) as { deliveries: { id: string }[] }
  await server.sql('delete from deliveries where message_id = $1', [id])
  const path = `/email/messages/${id}/recipients/${deliveries[0]!.id}/content`
  const answer = await server.call('GET', path, { token: site.user.token })
  expect([answer.status, answer.body.detail]).toEqual([
    410,
    'The content of this mail was deleted. Its figures are kept.',
  ])
  await using opened = await open(site.user, `/dashboard/messages#${id}`, { allowFaults: /410/ })
  await opened.page.getByText('The content of this mail was deleted. Its figures are kept.').waitFor()
})

it('MESSAGES-17 The success alert of a single mail links to its message', async () => {
  await using opened = await open(site.user, '/dashboard/send_email?mode=html')
  const { page } = opened
  await page.getByLabel('From').selectOption({ label: 'shop@example.com · other' })
  await page.getByRole('textbox', { name: 'Recipients' }).fill('single@example.org')
  await page.getByLabel('Subject Line').fill('A single mail')
  await page.getByLabel('Message body').fill('<p>Hello</p>')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await page
    .getByRole('alert')
    .or(page.getByRole('status'))
    .getByRole('link', { name: 'Open the message' })
    .first()
    .click()
  await page.waitForURL('**/dashboard/messages#*')
  await page.getByRole('heading', { name: 'A single mail', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'Recipients' }).getByText('single@example.org').waitFor()
})
