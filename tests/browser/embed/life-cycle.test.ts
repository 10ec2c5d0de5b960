import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectBrowser, openPage } from '../../support/browser.ts'
import { pageWith, sessionAnswer, startEmbedApi, startHostSite, type EmbedApi, type HostSite } from '../../support/embed-site.ts'

let browser: Browser
let embed: EmbedApi
let host: HostSite
beforeAll(async () => {
  ;[browser, embed, host] = await Promise.all([connectBrowser(), startEmbedApi(), startHostSite()])
  host.on('/session', sessionAnswer())
})
afterAll(async () => {
  await browser.close()
  await embed[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

it('puts a composer that can be typed into where the page says so', async () => {
  host.on('/', pageWith(embed, '<div data-sendwright="compose"><a href="mailto:a@example.com">Write to us</a></div>'))
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(host.url)
  await page.getByLabel('Subject Line').fill('Hello')
  expect(await page.locator('[data-sendwright]').getAttribute('data-sendwright-state')).toBe('ready')
  await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
})
