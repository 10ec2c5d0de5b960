import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let user: TestUser
let browser: Browser
let opened: OpenedPage
beforeAll(async () => {
  server = await startTestServer()
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  browser = await connectBrowser()
  opened = await openPage(browser)
  const { page } = opened
  await enterDashboard(page, server, user)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await browser.close()
  await server[Symbol.asyncDispose]()
})

const body = (page: Page) => page.getByLabel('Message body')

async function write(page: Page): Promise<void> {
  await page.goto(`${server.url}/dashboard/send_email?mode=html`)
  await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toMatch(/^ck_/)
  await page.getByLabel('Subject Line').fill('Doors open, {{first_name}}')
  await page.getByRole('textbox', { name: 'Recipients' }).evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'email,first_name\nada@example.org,Ada\nbo@example.org,Bo\n')
    const how = { clipboardData, bubbles: true, cancelable: true, composed: true }
    input.dispatchEvent(new ClipboardEvent('paste', how))
  })
  await body(page).fill('<p>Dear {{first_name}}</p>')
}

describe('a user who does not launch', () => {
  it("TRIAL-76 leaves no campaign behind with 'Launch Message' and the tab closed in the dialog", async () => {
    const page = await opened.page.context().newPage()
    await write(page)
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('button', { name: 'Launch Campaign' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Launch Campaign' }).isEnabled()).toBe(true)
    await page.close()
    const later = opened.page
    await later.goto(`${server.url}/dashboard/campaigns`)
    await later.getByText('No campaigns yet').waitFor()
    await later.goto(`${server.url}/dashboard`)
    await later.getByRole('heading', { name: 'Last messages' }).waitFor()
    await later.getByText('Nothing sent yet').waitFor()
    await expect.poll(() => later.getByRole('main').textContent()).not.toContain('Doors open')
  })

  it('TRIAL-77 a test mail changes neither the sent count nor the list of last sends', async () => {
    const { page } = opened
    await page.goto(`${server.url}/dashboard/send_email?mode=html`)
    await page.getByLabel('Subject Line').fill('Only a test')
    await body(page).fill('<p>Dear friend</p>')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send the test' }).click()
    await page
      .getByText(/test .*sent|sent to/i)
      .first()
      .waitFor()
    await page.goto(`${server.url}/dashboard`)
    await page.getByText('Nothing sent yet').waitFor()
    await expect.poll(() => page.getByRole('main').textContent()).not.toContain('Only a test')
  })
})
