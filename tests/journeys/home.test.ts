import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { simpleParser } from 'mailparser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeViolations, connectBrowser, openPage } from '../support/browser.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

let sink: SmtpSink
let proxy: Awaited<ReturnType<typeof startProxy>>
let server: TestServer
let browser: Browser
let user: TestUser
let mailboxId: string
beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (to) => (to.startsWith('gone') ? '550 5.1.1 No such user' : undefined) })
  proxy = await startProxy()
  ;[server, browser] = await Promise.all([
    startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}`, PUBLIC_URL: proxy.url }),
    connectBrowser(),
  ])
  proxy.port = Number(new URL(server.url).port)
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1', tracking: 'identified' })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const config = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  mailboxId = ((await call('POST', '/email/config', config)) as { id: string }).id
})
afterAll(async () => {
  await browser.close()
  await proxy.close()
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const call = async (method: string, path: string, body?: object) =>
  (await server.call(method, path, { token: user.token, ...(body && { body }) })).body as unknown

async function launch(subject: string, recipients: string[]): Promise<void> {
  const body = '<p><a href="https://example.com/a">Read</a></p>'
  const given = { subject, body, config_id: mailboxId, recipients }
  const { id } = (await call('POST', '/email/campaign', given)) as { id: string }
  await call('POST', `/email/campaign/${id}/launch`, {})
}

/** Opens the mail of a recipient, as a mail program does. */
async function openMail(to: string): Promise<void> {
  await expect.poll(() => sink.recipients()).toContain(to)
  const { html } = await simpleParser(sink.mails.find((mail) => mail.to.includes(to))!.raw, { keepCidLinks: true })
  const pixel = /src="https?:\/\/[^/]*(\/o\/[^"]*)"/.exec(String(html))![1]!
  await fetch(server.url + pixel, { headers: { 'user-agent': firefox } })
}

/** The figures as they are shown, such as `Sent 2 2 today`. */
const tiles = async (page: Page) =>
  (await page.getByRole('tab').allInnerTexts()).map((text) => text.split('\n').filter((part) => part.trim() !== ''))
const totals = async (page: Page) =>
  Object.fromEntries((await tiles(page)).map((parts) => [parts[0], parts.find((part) => /^[\d,]+$/.test(part))]))

it('HOME-01 HOME-06 CLAIMS-21 Dashboard shows sent, delivered, opened, clicked, bounced and unsubscribed for today and for 30 days; figures move without a reload while a campaign is being sent and opened', async () => {
  await launch('First news', ['ada@example.org', 'gone@example.org'])
  await using opened = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  const { page } = opened
  await enterDashboard(page, proxy, user)
  await expect.poll(() => totals(page)).toMatchObject({ Sent: '1', Delivered: '1', Bounced: '1' })
  expect(Object.keys(await totals(page))).toEqual(['Sent', 'Delivered', 'Opened', 'Clicked', 'Bounced', 'Unsubscribed'])
  for (const parts of await tiles(page)) expect(parts.join(' ')).toMatch(/\d today/)
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await openMail('ada@example.org')
  await expect.poll(() => totals(page)).toMatchObject({ Opened: '1' })
  await launch('Second news', ['bo@example.org', 'cy@example.org'])
  await expect.poll(() => totals(page)).toMatchObject({ Sent: '3', Delivered: '3' })
  await openMail('cy@example.org')
  await expect.poll(() => totals(page)).toMatchObject({ Opened: '2' })
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await page.getByRole('region', { name: 'Last campaigns' }).getByText('Second news').first().waitFor()
  await page.locator('.uplot canvas').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

it('HOME-07 After the live connection was lost and came back, the figures equal those that a reload shows', async () => {
  await using opened = await openPage(browser, { allowFaults: /net::ERR|Failed to load/ })
  const { page } = opened
  await enterDashboard(page, proxy, user)
  await page.getByText('Live', { exact: true }).waitFor()
  const before = Number((await totals(page)).Sent)
  proxy.isUp = false
  proxy.cut()
  await page.getByText('Connecting...', { exact: true }).waitFor()
  await launch('While away', ['di@example.org', 'ed@example.org'])
  await openMail('di@example.org')
  const hasOpen = async () => ((await call('GET', '/email/statistics?days=1')) as { opened: number }[])[0]!.opened
  await expect.poll(hasOpen).toBeGreaterThan(2)
  expect(Number((await totals(page)).Sent)).toBe(before)
  proxy.isUp = true
  await page.getByText('Live', { exact: true }).waitFor()
  await expect.poll(async () => Number((await totals(page)).Sent)).toBe(before + 2)
  const live = await tiles(page)
  await page.reload()
  await expect.poll(() => tiles(page)).toEqual(live)
})

/** Forwards connections to a port that is set later; `cut` ends all, and none is made while it is down. */
async function startProxy() {
  const proxy = { port: 0, isUp: true, url: '', cut: () => sockets.forEach((socket) => socket.destroy()), close }
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    if (!proxy.isUp) {
      client.destroy()
      return
    }
    const upstream = connect({ port: proxy.port, host: '127.0.0.1' })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  async function close() {
    proxy.cut()
    await new Promise<void>((done) => listener.close(() => done()))
  }
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  proxy.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  return proxy
}
