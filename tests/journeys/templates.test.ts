import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type OpenedPage, useBrowser } from '../support/browser.ts'
import { makeHostedKey } from '../support/hosted.ts'
import { createUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

let opened: OpenedPage
let page: Page
let token: string
const server = await useServer({}, { libraryFile: join(import.meta.dirname, '../../dist/library/index.json') })
const browser = await useBrowser()
beforeAll(async () => {
  opened = await openPage(browser, { allowFaults: /Failed to load resource/ })
  page = opened.page
  ;({ token } = await createUser(server))
  await page.goto(`${server.url}/login`)
  await page.evaluate((own) => localStorage.setItem('access_token', own), token)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
})

const rows = () => page.getByRole('list', { name: 'Templates' }).getByRole('listitem')
const own = async () =>
  (await server.call('GET', '/email/templates', { token })).body as {
    subject: string
    context: string[]
    key: string
  }[]

/** One user's way through the template screens; each step depends on the previous one. */
describe('a user with templates', () => {
  it('writes a first one in the designer, reloads, and finds it in the list', async () => {
    await page.goto(`${server.url}/dashboard/templates`)
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
    await page.getByRole('link', { name: 'New Template' }).first().click()
    await page.getByLabel('Subject').fill('Doors open, {{first_name}}')
    await page.getByLabel('HTML body').fill('<h1>The autumn show</h1><p>Dear {{first_name}}</p>')
    await page.getByText('Saved as a draft').waitFor()
    await page.reload()
    await page.getByText('Your unsaved changes were restored').waitFor()
    await page.getByRole('button', { name: 'Add the tag first_name' }).click()
    await page.getByTitle('Preview of the template').contentFrame().getByText('The autumn show').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/dashboard/templates')
    await rows().filter({ hasText: 'Doors open, {{first_name}}' }).waitFor()
    expect(await own()).toMatchObject([{ subject: 'Doors open, {{first_name}}', context: ['first_name'] }])
  })

  it('edits it from its preview', async () => {
    await rows().getByRole('button', { name: 'Doors open, {{first_name}}', exact: true }).click()
    await page.getByRole('button', { name: 'Edit in Designer' }).click()
    await page.getByLabel('Subject').fill('Doors open early, {{first_name}}')
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByRole('button', { name: 'Saved!' }).waitFor()
    await expect.poll(own).toMatchObject([{ subject: 'Doors open early, {{first_name}}' }])
  })

  it('saves a global template, and edits a copy of another one', async () => {
    await page.getByRole('link', { name: 'Global', exact: true }).click()
    const cards = page.getByRole('list', { name: 'Global templates' }).getByRole('listitem')
    await expect.poll(() => cards.count()).toBeGreaterThan(20)
    await page.getByLabel('Search global templates').fill('password reset')
    const card = cards.filter({ hasText: 'Password reset' })
    await card.getByRole('button', { name: 'Save Template' }).click()
    await expect.poll(async () => (await own()).length).toBe(2)
    await page.getByLabel('Search global templates').fill('')
    await page.getByRole('button', { name: 'Edit Welcome', exact: true }).click()
    await page.getByText('New from global', { exact: true }).waitFor()
    await page.getByLabel('Subject').fill('Welcome aboard')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/dashboard/templates')
    await rows().filter({ hasText: 'Welcome aboard' }).waitFor()
    expect(await own()).toHaveLength(3)
  })

  it('deletes one, and restores it with its key', async () => {
    const before = await own()
    const row = rows().filter({ hasText: 'Doors open early' })
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(await own()).toHaveLength(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    expect((await own()).map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort())
  })

  it("sees the operator's library changes without a reload", async () => {
    await page.getByRole('link', { name: 'Global', exact: true }).click()
    const cards = page.getByRole('list', { name: 'Global templates' }).getByRole('listitem')
    await expect.poll(() => cards.count()).toBeGreaterThan(20)
    const { key } = await makeHostedKey(server, 'write')
    await server.call('POST', '/collections/documents?collection=templates', {
      headers: { 'x-api-key': key },
      body: { data: { name: 'House letter', subject: 'From the house', body: '<p>House</p>', context: [] } },
    })
    await cards.filter({ hasText: 'House letter' }).waitFor()
  })
})
