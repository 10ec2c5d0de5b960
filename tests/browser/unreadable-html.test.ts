import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiServer } from '../support/api-server.ts'
import { axeViolations, connectBrowser, openPage } from '../support/browser.ts'
import { openDashboard, startDashboard } from '../support/dashboard-page.ts'
import { waitForState } from '../support/embed-bench.ts'
import {
  pageWith,
  sessionAnswer,
  startEmbedApi,
  startHostSite,
  type EmbedApi,
  type HostSite,
} from '../support/embed-site.ts'
import { signedInResponses } from '../support/sample-answers.ts'

let browser: Browser
let site: ApiServer
let embed: EmbedApi
let host: HostSite
beforeAll(async () => {
  ;[site, browser, embed, host] = await Promise.all([
    startDashboard(),
    connectBrowser(),
    startEmbedApi(),
    startHostSite(),
  ])
  host.on('/session', sessionAnswer())
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await embed[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const html = '<frameset cols="50%,50%"><frame src="a"></frameset>'
const sentence = 'This HTML has no preview.'
const body = (page: Page) => page.getByLabel('Message body')
const mail = (page: Page) => page.getByRole('document', { name: 'Message' })
const open = (path: string) => openDashboard(browser, site, { path, token: 'at_1' })

/** Writes it into a composer; the editor keeps working, and a valid body is previewed again. */
async function writeInto(page: Page): Promise<void> {
  await body(page).fill('Dear friend')
  await mail(page).getByText('Dear friend').waitFor()
  await body(page).fill(html)
  await page.getByText(sentence).waitFor()
  await expect.poll(() => mail(page).innerHTML()).toBe('')
  await expect.poll(() => body(page).inputValue()).toBe(html)
  expect(await axeViolations(page)).toEqual([])
  await body(page).fill(`${html}<img src="https://example.com/a.png">`)
  await page.getByText(sentence).waitFor()
  await body(page).fill('Dear all')
  await mail(page).getByText('Dear all').waitFor()
  await page.getByText(sentence).waitFor({ state: 'detached' })
}

describe('HTML that the sanitiser cannot parse', () => {
  it("TRIAL-08 leaves the dashboard's composer its editor with the text, and an empty preview with an error", async () => {
    await using opened = await open('/dashboard/send_email')
    await writeInto(opened.page)
  })

  it("TRIAL-08 leaves the embed's composer its editor with the text, and an empty preview with an error", async () => {
    host.on('/', pageWith(embed, '<main><h1>Host</h1><div data-sendwright="compose"></div></main>'))
    await using opened = await openPage(browser)
    await opened.page.goto(host.url)
    await waitForState(opened.page, 'ready')
    await writeInto(opened.page)
  })

  it('TRIAL-08 leaves the template designer its editor with the text, and an empty preview with an error', async () => {
    await using opened = await open('/dashboard/create')
    const { page } = opened
    const editor = page.getByLabel('HTML body')
    const preview = page.frameLocator('iframe[title="Preview of the template"]')
    await editor.fill(html)
    await preview.getByText(sentence).waitFor()
    await expect.poll(() => editor.inputValue()).toBe(html)
    await editor.fill('<p>Dear all</p>')
    await preview.getByText('Dear all').waitFor()
  })

  it('TRIAL-09 a draft saved with it opens after a reload with the complete form', async () => {
    await using opened = await open('/dashboard/send_email')
    const { page } = opened
    await page.getByLabel('Subject Line').fill('Doors open')
    await body(page).fill(html)
    const saved = () =>
      site.received.filter(({ method, path }) => method === 'PUT' && path.startsWith('/drafts/')).at(-1)?.body as
        | { content: { messageBody: string } }
        | undefined
    await expect.poll(() => saved()?.content.messageBody).toBe(html)
    const updated_at = '2025-08-14T09:30:00.000Z'
    site.on('getDraft', { json: { revision: 1, content: saved()?.content, updated_at, replaced: [] } })
    await page.reload()
    await expect.poll(() => body(page).inputValue()).toBe(html)
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Doors open')
    for (const label of ['From', 'Recipients']) await page.getByLabel(label, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).waitFor()
    await page.getByText(sentence).waitFor()
  })
})
