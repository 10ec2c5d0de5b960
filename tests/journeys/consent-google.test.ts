import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Embed } from '../../contract/embed/embed.ts'
import { connectBrowser, openPage } from '../support/browser.ts'
import { waitForState } from '../support/embed-bench.ts'
import { startHostSite, type HostSite } from '../support/embed-site.ts'
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let provider: OpenIdProvider
let server: TestServer
let browser: Browser
let host: HostSite
beforeAll(async () => {
  provider = await startOpenIdProvider({
    sub: 'google-ada',
    email: 'ada@gmail.example',
    email_verified: true,
    given_name: 'Ada',
  })
  ;[server, browser, host] = await Promise.all([
    startTestServer(provider.environment),
    connectBrowser(),
    startHostSite(),
  ])
  provider.admit(`${server.url}/auth/login-google/callback`)
})
afterAll(async () => {
  await browser.close()
  await host[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

it('a user signs in with Google inside the consent window and allows the page, which can then use their mailbox', async () => {
  await using opened = await openPage(browser, { allowFaults: /Failed to load resource/ })
  const { page } = opened
  await page.goto(`${server.url}/signup`)
  await page.getByRole('link', { name: 'Sign up with Google' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL('**/dashboard')
  const token = (await page.evaluate(() => localStorage.getItem('access_token'))) ?? ''
  const mailbox = { email_address: 'sandbox@localhost', provider: 'other', app_password: 'any' }
  expect((await server.call('POST', '/email/config', { token, body: mailbox })).status).toBe(201)
  const made = await server.call('POST', '/embeds', {
    token,
    body: { name: 'Shop', allowed_origins: [host.url], widgets: ['compose'] },
  })
  const { id } = made.body as Embed
  await page.evaluate(() => localStorage.clear())

  host.on(
    '/',
    `<!doctype html><title>Shop</title><script async src="${server.url}/embed/loader.js" data-embed="${id}"></script><div data-sendwright="compose"></div>`,
  )
  await page.goto(host.url)
  await waitForState(page, 'ready')
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign In' }).click()
  const popup = await opening
  await popup.getByRole('link', { name: 'Sign in with Google' }).click()
  await popup.getByRole('link', { name: 'Continue' }).click()
  await popup.getByText(host.url, { exact: true }).waitFor()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await page.locator('option', { hasText: 'sandbox@localhost' }).waitFor({ state: 'attached' })
})
