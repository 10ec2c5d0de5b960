import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

const dead = 'dead@example.org'
/** Until then the mail server delays its replies. */
const gate = Promise.withResolvers<undefined>()
const readers = Array.from({ length: 30 }, (_reader, at) => `reader-${at}@example.org`)
let sink: SmtpSink
let server: TestServer
let user: TestUser
let browser: Browser
let opened: OpenedPage
let page: Page
let secretKey: string
beforeAll(async () => {
  sink = await startSmtpSink({
    onRecipient: (address) => (address === dead ? '550 5.1.1 No such user' : gate.promise),
  })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const mailbox = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  const config = await server.call('POST', '/email/config', { token: user.token, body: mailbox })
  const { id: mailboxId, secret_key: key } = config.body as { id: string; secret_key: string }
  secretKey = key
  const campaign = {
    name: 'Autumn show',
    subject: 'Doors open',
    body: '<p>Come in</p>',
    config_id: mailboxId,
    recipients: [...readers, dead],
  }
  const made = await server.call('POST', '/email/campaign', { token: user.token, body: campaign })
  const { id } = made.body as Campaign
  await server.call('POST', `/email/campaign/${id}/launch`, { token: user.token, body: {} })
  browser = await connectBrowser()
  opened = await openPage(browser)
  page = opened.page
  await enterDashboard(page, server, user)
})
afterAll(async () => {
  gate.resolve(undefined)
  await opened[Symbol.asyncDispose]()
  await browser.close()
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const row = (name: RegExp) => page.getByRole('row', { name })
const late = { timeout: 40_000 }

/** One user; each step depends on the previous one. */
describe('a user who launched a campaign', () => {
  it('finds it again, pauses it, and resumes it until completion', async () => {
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await row(/Autumn show Doors open Sending/).waitFor()
    await page.getByRole('button', { name: 'Pause Autumn show' }).click()
    await row(/Autumn show Doors open Paused/).waitFor()
    gate.resolve(undefined)
    await page.getByRole('button', { name: 'Resume Autumn show' }).click()
    await row(/Autumn show Doors open Finished .* 30 of 31 .*1 failed/).waitFor(late)
    expect(sink.recipients().toSorted()).toEqual(readers.toSorted())
  })

  it('reads why a retry of refused recipients sends nothing, and finds the address on the suppression list', async () => {
    await page.getByRole('link', { name: 'Autumn show' }).click()
    // The list of campaigns has a State of its own, until the campaign is open.
    await page.getByRole('heading', { name: 'Recipients' }).waitFor()
    await page.getByLabel('State').selectOption('Failed')
    await page.getByText('550 5.1.1 No such user').waitFor()
    await page.getByRole('button', { name: 'Retry 1 failed' }).click()
    await page.getByText('The address is on your suppression list').waitFor()
    await page.getByRole('link', { name: 'See the list' }).click()
    await page.getByRole('row', { name: /dead@example\.org Bounced 550 5\.1\.1 No such user/ }).waitFor()
  })

  it('suppresses an address manually: the next mail to it is not sent; after its removal it is', async () => {
    const shy = 'shy@example.org'
    const mail = { subject: 'Again', content: 'Hello', recipient_list: [shy, 'bold@example.org'] }
    const send = async () =>
      (await server.call('POST', `/email/send-mail/${secretKey}`, { token: user.token, body: mail })).body as object
    await page.getByRole('button', { name: 'Add addresses' }).click()
    await page.getByLabel('Addresses', { exact: true }).fill(shy)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await row(/shy@example\.org Added manually/).waitFor()
    expect(await send()).toMatchObject({ accepted: 1, suppressed: 1 })
    await expect.poll(() => sink.recipients(), late).toContain('bold@example.org')
    expect(sink.recipients()).not.toContain(shy)
    await page.getByRole('button', { name: `Remove ${shy}` }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await row(/shy@example\.org/).waitFor({ state: 'hidden' })
    expect(await send()).toMatchObject({ accepted: 2, suppressed: 0 })
    await expect.poll(() => sink.recipients(), late).toContain(shy)
  })
})
