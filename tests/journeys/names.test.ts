import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { createUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let browser: Browser
let opened: OpenedPage
let page: Page
beforeAll(async () => {
  server = await startTestServer({}, { libraryFile: join(import.meta.dirname, '../../dist/library/index.json') })
  const user = await createUser(server)
  const call = async (path: string, body: object) =>
    (await server.call('POST', path, { token: user.token, body })).body as { id: string }
  const mailbox = { email_address: 'sandbox@localhost', provider: 'other', app_password: 'any' }
  const { id: mailboxId } = await call('/email/config', mailbox)
  for (const name of ['Autumn show', 'Winter fair']) {
    await call('/email/campaign', { name, subject: 'Doors open', body: '<p>Come in</p>', config_id: mailboxId })
  }
  browser = await connectBrowser()
  opened = await openPage(browser)
  page = opened.page
  await enterDashboard(page, server, user)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await browser.close()
  await server[Symbol.asyncDispose]()
})

const sidebar = (name: string) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name })
const templates = () => page.getByRole('list', { name: 'Templates' }).getByRole('listitem')
const namesOfTemplates = () => templates().locator('.row-name').allTextContents()

it('TRIAL-80 a saved global template keeps its name, which can be changed and searched', async () => {
  await sidebar('Global').click()
  const card = page.getByRole('list', { name: 'Global templates' }).getByRole('listitem').first()
  const name = await card.getByRole('heading').innerText()
  await card.getByRole('button', { name: /^Save Template/ }).click()
  await page.getByText('Template saved').waitFor()
  // A copy that is edited before it is saved keeps its name too.
  await card.getByRole('button', { name: /^Edit/ }).click()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
  await page.getByLabel('Name', { exact: true }).fill('My own letter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/dashboard/templates')
  await expect.poll(namesOfTemplates).toEqual(['My own letter', name])

  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await page.getByLabel('Name', { exact: true }).fill('Quarterly figures')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByRole('button', { name: 'Saved!' }).waitFor()
  await sidebar('Templates').click()
  await expect.poll(async () => (await namesOfTemplates()).toSorted()).toEqual(['My own letter', 'Quarterly figures'])
  await page.getByPlaceholder('Search in subjects, content, or tags...').fill('quarterly fig')
  await expect.poll(namesOfTemplates).toEqual(['Quarterly figures'])
  await page.reload()
  await expect.poll(async () => (await namesOfTemplates()).toSorted()).toEqual(['My own letter', 'Quarterly figures'])
})

it('TRIAL-80 a campaign has a name of its own that can be changed and searched', async () => {
  await sidebar('Campaigns').click()
  await page.getByRole('link', { name: 'Autumn show' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename this campaign' })
  await dialog.getByLabel('Name').fill('Harvest evening')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Harvest evening', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'All campaigns' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'Doors open' })
  await rows.filter({ hasText: 'Harvest evening' }).waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('Search campaigns').fill('harvest')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.filter({ hasText: 'Harvest evening' }).waitFor()
})
