import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errors } from '../../contract/core/errors.ts'
import { connectBrowser, openPage } from '../support/browser.ts'
import { waitForState } from '../support/embed-bench.ts'
import { startHostSite, type HostSite } from '../support/embed-site.ts'
import { createTestEmbed, type TestEmbed } from '../support/embeds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let browser: Browser
let host: HostSite
let made: TestEmbed
beforeAll(async () => {
  ;[server, browser, host] = await Promise.all([startTestServer(), connectBrowser(), startHostSite()])
  made = await createTestEmbed(server, { allowed_origins: [host.url], popup_sign_in: true })
})
afterAll(async () => {
  await browser.close()
  await host[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** A page without a back end, whose users sign in through the popup. */
async function open(headers: Record<string, string> = {}, allowFaults = /401/) {
  const script = `<script async src="${server.url}/embed/loader.js" data-embed="${made.embed.id}"></script>`
  const html = `<!doctype html><title>Host</title>${script}<div data-sendwright="compose"></div>`
  host.on('/', { html, headers })
  const opened = await openPage(browser, { allowFaults })
  await opened.page.goto(host.url)
  await waitForState(opened.page, 'ready')
  return opened
}

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In' })

/** Opens the popup by a click and signs in, up to the consent. */
async function openPopup(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await signIn(page).last().click()
  const popup = await opening
  await popup.waitForURL('**/login')
  await popup.getByLabel('Email').fill(made.user.email)
  await popup.getByLabel('Password').fill(made.user.password)
  await popup.getByRole('button', { name: 'Sign In' }).click()
  return popup
}

const mailbox = (page: Page) => page.locator('option', { hasText: 'sandbox@localhost' }).first()

it("a popup cut off by the page's COOP shows the remedy on both sides, and the draft is kept", async () => {
  await using opened = await open({ 'Cross-Origin-Opener-Policy': 'same-origin' })
  const { page } = opened
  await page.getByLabel('Subject Line').fill('Written before')
  const opening = page.context().waitForEvent('page')
  await signIn(page).click()
  const popup = await opening
  await page.getByRole('alert').getByText('Cross-Origin-Opener-Policy: same-origin-allow-popups').waitFor()
  await expect.poll(() => signIn(page).isEnabled()).toBe(true)
  await popup.waitForURL('**/login')
  await popup.getByLabel('Email').fill(made.user.email)
  await popup.getByLabel('Password').fill(made.user.password)
  await popup.getByRole('button', { name: 'Sign In' }).click()
  await popup.getByText('The page cannot be reached').waitFor()
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Written before')
})

it('a page with the recommended COOP header receives the sign-in', async () => {
  await using opened = await open({ 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' })
  const { page } = opened
  const popup = await openPopup(page)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
})

it('a blocked popup shows a message, and the next click opens it', async () => {
  await using opened = await open()
  const { page } = opened
  await page.evaluate(() => {
    const own = window.open.bind(window)
    window.open = () => {
      window.open = own
      return null
    }
  })
  await signIn(page).click()
  await page.getByRole('alert').getByText('The browser has blocked the sign-in window').waitFor()
  const popup = await openPopup(page)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

it('a closed popup shows a message, and the next click opens another', async () => {
  await using opened = await open()
  const { page } = opened
  const opening = page.waitForEvent('popup')
  await signIn(page).click()
  await (await opening).close()
  await page.getByRole('alert').getByText('The sign-in window was closed').waitFor()
  const popup = await openPopup(page)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
})

it('a lost connection and a refused code show a message each, and the next click signs in', async () => {
  await using opened = await open({}, /40[01]|ERR_FAILED/)
  const { page } = opened
  await page.route('**/embed/token', (route) => route.abort(), { times: 1 })
  const first = await openPopup(page)
  await first.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('alert').getByText('The sign-in could not be completed. Check the connection.').waitFor()
  // A code is traded once: the second request with it is the page's own.
  const tradeBefore = async (route: Route) => {
    await route.fetch()
    await route.continue()
  }
  await page.route('**/embed/token', tradeBefore, { times: 1 })
  for (const message of [errors.embed_code_invalid.sentence, null]) {
    const opening = page.waitForEvent('popup')
    await signIn(page).click()
    await (await opening).getByRole('button', { name: 'Allow' }).click()
    if (message !== null) await page.getByRole('alert').getByText(message).waitFor()
  }
  await mailbox(page).waitFor({ state: 'attached' })
})

it('TRIAL-69 a page with several widgets that need a sign-in shows one bar, at the visible widget, and it serves all', async () => {
  await using opened = await open()
  const { page } = opened
  await signIn(page).waitFor()
  await page.evaluate(() => {
    for (const name of ['compose', 'config-manager']) {
      const late = document.createElement('div')
      late.dataset['sendwright'] = name
      late.style.marginTop = '1500px'
      document.body.append(late)
    }
  })
  await waitForState(page, 'ready', 3)
  await expect.poll(() => signIn(page).count()).toBe(1)
  const placeOfBar = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[data-sendwright]')].map(
        (one) => one.shadowRoot!.querySelectorAll('div[style*="sticky"]').length,
      ),
    )
  await page.mouse.wheel(0, 10_000)
  await expect.poll(placeOfBar).toEqual([0, 0, 1])
  await expect.poll(() => signIn(page).count()).toBe(1)
  const popup = await openPopup(page)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect.poll(() => page.locator('option', { hasText: 'sandbox@localhost' }).count()).toBe(2)
  await expect.poll(() => signIn(page).count()).toBe(0)
})

it('TRIAL-69 the bar moves to another widget when its widget leaves the page', async () => {
  await using opened = await open()
  const { page } = opened
  await signIn(page).waitFor()
  await page.evaluate(() => {
    const late = document.createElement('div')
    late.dataset['sendwright'] = 'compose'
    document.body.append(late)
  })
  await waitForState(page, 'ready', 2)
  await expect.poll(() => signIn(page).count()).toBe(1)
  await page.evaluate(() => document.querySelector('[data-sendwright]')!.remove())
  await expect.poll(() => page.locator('[data-sendwright]').getByRole('button', { name: 'Sign In' }).count()).toBe(1)
  const popup = await openPopup(page)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
})

it('H50 the loader accepts a code only from its own popup, with its own state, from the API’s origin', async () => {
  await using opened = await open()
  const { page } = opened
  const traded: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/embed/token')) traded.push(request.postData() ?? '')
  })
  // In the popup's first moment the opener can read its address, including the state.
  const requested = page.context().waitForEvent('request', (request) => request.url().includes('/embed/authorize?'))
  const popup = await openPopup(page)
  const state = new URL((await requested).url()).searchParams.get('state') ?? ''
  expect(state).not.toBe('')
  await popup.getByRole('button', { name: 'Allow' }).waitFor()
  // Another window with the right state, another origin with the right state, the right window with another state.
  await page.evaluate((known) => {
    const reported = { type: 'sendwright:consent', code: 'ec_forged', state: known }
    window.postMessage(reported, '*')
    const frame = document.createElement('iframe')
    frame.srcdoc = `<script>parent.postMessage(${JSON.stringify(reported)}, '*')</script>`
    document.body.append(frame)
    return new Promise((resolve) => frame.addEventListener('load', resolve))
  }, state)
  await popup.evaluate((origin) => {
    const opener = window.opener as Window
    opener.postMessage({ type: 'sendwright:consent', code: 'ec_forged', state: 'another' }, origin)
    opener.postMessage({ type: 'another', code: 'ec_forged' }, origin)
    opener.postMessage(null, origin)
  }, host.url)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
  expect(traded).toHaveLength(1)
  expect(traded[0]).not.toContain('ec_forged')
})
