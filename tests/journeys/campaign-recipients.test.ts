import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeViolations, connectBrowser, openPage, viewports, type OpenedPage } from '../support/browser.ts'
import { createUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

const people = Array.from({ length: 200 }, (_person, at) => `person-${String(at).padStart(3, '0')}@example.org`)
const gone = ['person-007@example.org', 'person-123@example.org']
const refusal = '550 5.1.1 No such user'
let sink: SmtpSink
let server: TestServer
let browser: Browser
let opened: OpenedPage
let page: Page
beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (address) => (gone.includes(address) ? refusal : undefined) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  const user = await createUser(server)
  const call = async (method: string, path: string, body: object) =>
    (await server.call(method, path, { token: user.token, body })).body as { id: string }
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1, Bristol' })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const mailbox = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  const { id: mailboxId } = await call('POST', '/email/config', mailbox)
  const campaign = { name: 'Autumn show', subject: 'Doors open', body: '<p>Come in</p>', config_id: mailboxId }
  const { id } = await call('POST', '/email/campaign', { ...campaign, recipients: people })
  await call('POST', `/email/campaign/${id}/launch`, {})
  browser = await connectBrowser()
  opened = await openPage(browser)
  page = opened.page
  await enterDashboard(page, server, user)
  await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
  await page.getByRole('row', { name: /Autumn show.* Finished .* 198 of 200/ }).waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Autumn show' }).click()
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await browser.close()
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const recipients = () => page.getByRole('region', { name: 'Recipients', exact: true })
const rows = () => recipients().getByRole('row').filter({ hasText: '@' })
const addresses = () => rows().locator('b').allTextContents()

it('TRIAL-71 all 200 recipients of a campaign are reached by paging, by search for an address, and by state', async () => {
  const seen: string[] = []
  /** How each page is requested: reading behind a cursor costs the same at the end of a million recipients. */
  const places: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/recipients')) places.push(searchParams.has('cursor') ? 'cursor' : 'offset')
  })
  for (let first = 1; ; first += 25) {
    await recipients()
      .getByText(`${first} to ${first + 24} of 200`)
      .waitFor()
    // The position is shown before its rows have arrived.
    await expect.poll(async () => (await addresses()).filter((one) => seen.includes(one))).toEqual([])
    seen.push(...(await addresses()))
    const next = recipients().getByRole('button', { name: 'Next' })
    if (await next.isDisabled()) break
    await next.click()
  }
  expect(seen.toSorted()).toEqual(people)
  expect(places.filter((place) => place === 'cursor')).toHaveLength(7)

  await recipients().getByLabel('Search recipients').fill('SON-15')
  const fifties = people.filter((address) => address.includes('son-15'))
  await expect.poll(async () => (await addresses()).toSorted()).toEqual(fifties)
  await page.reload()
  await expect.poll(async () => (await addresses()).toSorted()).toEqual(fifties)
  await recipients().getByLabel('Search recipients').fill('')
  await recipients().getByText('1 to 25 of 200').waitFor()

  await recipients().getByLabel('State').selectOption('Failed')
  await expect.poll(async () => (await addresses()).toSorted()).toEqual(gone)
  await recipients().getByLabel('State').selectOption('Deferred')
  await recipients().getByText('Nothing found').waitFor()
  await recipients().getByRole('button', { name: 'Clear filters' }).click()
  await recipients().getByText('1 to 25 of 200').waitFor()
})

it('TRIAL-72 CLAIMS-05 each row shows the mail server’s reply, and the CSV contains every recipient with state and reply', async () => {
  await recipients().getByLabel('Search recipients').fill('person-00')
  await expect.poll(() => rows().count()).toBe(10)
  for (const row of await rows().all()) {
    const words = await row.innerText()
    expect(words).toMatch(words.includes('person-007') ? /Failed\s+550 5\.1\.1 No such user/ : /Sent\s+250 /)
  }
  await recipients().getByLabel('Search recipients').fill('')
  await recipients().getByText('1 to 25 of 200').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('recipients.csv')
  const lines = parse<Record<string, string>>(await text(await file.createReadStream()), { columns: true })
  expect(lines.map(({ email }) => email).toSorted()).toEqual(people)
  for (const { email = '', state, reply } of lines) {
    expect({ email, state }).toEqual({ email, state: gone.includes(email) ? 'failed' : 'sent' })
    expect(reply).toMatch(gone.includes(email) ? /^550 5\.1\.1 No such user/ : /^250 /)
  }
})

it('the recipient list keeps the address in its campaign, and axe finds no violation in it', async () => {
  await recipients().getByLabel('Search recipients').fill('person-00')
  await expect.poll(() => rows().count()).toBe(10)
  for (const viewport of [viewports.phone, viewports.desktop]) {
    await page.setViewportSize(viewport)
    await rows().first().waitFor()
    expect(await axeViolations(page)).toEqual([])
  }
  await expect.poll(() => page.url()).toContain('recipient=person-00')
  await page.getByRole('link', { name: 'All campaigns' }).click()
  await page.getByRole('region', { name: 'Campaigns' }).getByRole('link', { name: 'Autumn show' }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
})
