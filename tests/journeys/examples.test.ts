import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embedWidgets } from '../../contract/embed/embed-scopes.ts'
import { answerSession } from '../../examples/node-backend/session.js'
import { exampleNames, startExamples, type ExampleName, type ExampleSites } from '../../examples/sites.ts'
import { axeViolations, chooseHtml, connectBrowser, fillText, openPage } from '../support/browser.ts'
import { waitForState } from '../support/embed-bench.ts'
import { startHostSite, type HostSite } from '../support/embed-site.ts'
import { createTestEmbed, type TestEmbed } from '../support/embeds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import {
  readLayout,
  layoutShift,
  recordedEvents,
  recordEvents,
  recordLayoutShifts,
  readEverything,
  diffLayouts,
} from '../support/whole-page.ts'

let server: TestServer
let browser: Browser
let sites: ExampleSites
let made: TestEmbed
let empty: HostSite
beforeAll(async () => {
  ;[server, browser, sites, empty] = await Promise.all([
    startTestServer(),
    connectBrowser(),
    startExamples(null),
    startHostSite(),
  ])
  const origins = [...Object.values(sites.urls), empty.url]
  made = await createTestEmbed(server, { allowed_origins: origins, popup_sign_in: true })
  const shown = { api: server.url, embed: made.embed.id, secretKey: made.user.secretKey }
  sites.show(shown)
  empty.on('/my/embed-session', (request, response) => {
    void answerSession(request, response, { ...shown, origin: empty.url })
  })
})
afterAll(async () => {
  await browser.close()
  await sites[Symbol.asyncDispose]()
  await empty[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Garbage collection takes longer on a busy machine. */
const patience = { timeout: 60_000 }

/** Tall enough that all content beneath a widget is measured. */
const tall = { width: 1280, height: 1800 }

const widgetCount: Partial<Record<ExampleName, number>> = { admin: 2, arabic: 2, plain: 2 }

/** The test user's mailbox, as the sender list shows it: the page has loaded completely. */
const mailbox = (page: Page) => page.locator('option', { hasText: 'sandbox@localhost' }).first()

/** Waits until loading has finished: how recipients can be given, the modes of writing, the text editor with its tools and the mailboxes, or the page's sign-in bar and all template lists. */
async function cameWhole(page: Page, name: ExampleName) {
  for (const ways of await page.locator('.ways').all()) await ways.getByRole('button').first().waitFor()
  if (name !== 'plain') {
    await page.locator('.modes').getByRole('radiogroup').first().waitFor()
    await page.locator('.rich-text').first().waitFor()
    await page.locator('.more[aria-label]').first().waitFor()
    return mailbox(page).waitFor({ state: 'attached' })
  }
  const signIn = page.getByRole('button', { name: 'Sign In' })
  await signIn.first().waitFor()
  await expect.poll(() => signIn.count()).toBe(1)
  for (const picker of await page.locator('[data-sendwright="template-picker"]').all())
    await picker.getByText('No templates yet').waitFor()
}

for (const name of exampleNames) {
  describe(`the example ${name}`, () => {
    it('shows its widgets without console output, cookies, external requests, layout shifts or secrets', async () => {
      await using opened = await openPage(browser, { viewport: tall })
      const { page } = opened
      const origins = new Set<string>()
      const printed: string[] = []
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      page.on('console', (message) => printed.push(message.text()))
      await recordLayoutShifts(page)
      await recordEvents(page)
      await page.goto(sites.urls[name])
      await waitForState(page, 'ready', widgetCount[name] ?? 1)
      await cameWhole(page, name)
      expect([...origins].filter((origin) => origin !== sites.urls[name] && origin !== server.url)).toEqual([])
      expect(printed).toEqual([])
      expect(await page.context().cookies()).toEqual([])
      expect(await layoutShift(page)).toBeLessThanOrEqual(0.001)
      const everything = await readEverything(page)
      expect(everything).toContain('data-sendwright')
      expect(everything).not.toMatch(/\b(ck|at|es)_[\w-]{6,}/)
      expect(everything).not.toContain(made.user.secretKey.slice(3))
      await expect.poll(() => recordedEvents(page)).toContain('sendwright:ready {"name":"compose"}')
    })

    for (const viewport of [
      { width: 820, height: 2600 },
      { width: 390, height: 3000 },
    ]) {
      it(`has no layout shift when widgets mount, ${viewport.width} px wide`, async () => {
        await using opened = await openPage(browser, { viewport })
        const { page } = opened
        await recordLayoutShifts(page)
        await page.goto(sites.urls[name])
        await waitForState(page, 'ready', widgetCount[name] ?? 1)
        await cameWhole(page, name)
        expect(await layoutShift(page)).toBeLessThanOrEqual(0.001)
      })
    }

    it('keeps every computed style and position of its own elements when widgets mount, and changes none of a widget’s', async () => {
      await using opened = await openPage(browser, { allowFaults: /ERR_FAILED/ })
      const { page } = opened
      await page.route(/\/embed\/(loader|compose)\.js$/, (route) => route.abort())
      await page.goto(sites.urls[name], { waitUntil: 'networkidle' })
      const before = await readLayout(page, 'host')
      await page.unroute(/\/embed\/(loader|compose)\.js$/)
      await page.goto(sites.urls[name])
      await waitForState(page, 'ready', widgetCount[name] ?? 1)
      await cameWhole(page, name)
      expect(diffLayouts(before, await readLayout(page, 'host'))).toEqual([])
      const { place } = await readLayout(page, 'widget')
      // The same element, alone on a page with only the inherited styles.
      const html = await (await fetch(sites.urls[name])).text()
      const [root = ''] = /<html[^>]*>/.exec(html) ?? []
      const [scheme = ''] = /<meta name="color-scheme"[^>]*>/.exec(html) ?? []
      const [script = ''] = /<script\s[^>]*\/embed\/[\w-]+\.js[^>]*>/.exec(html) ?? []
      const [tag = '<div data-sendwright="compose" data-sendwright-subject="Your order">'] =
        /<div\s[^>]*data-sendwright="compose"[^>]*>/.exec(html) ?? []
      const style = `width: ${place.widthPx}px; ${place.style.replaceAll('"', "'")}`
      const element = tag.replace(/\s(class|style)="[^"]*"/g, '').replace('<div', `<div style="${style}"`)
      empty.on(
        '/',
        `<!doctype html>${root}<head>${scheme}${script}</script></head><body>${element}</div></body></html>`,
      )
      await using openedAlone = await openPage(browser)
      await openedAlone.page.goto(empty.url)
      await waitForState(openedAlone.page, 'ready')
      await cameWhole(openedAlone.page, name)
      // Both grow for a while by the parts that they load when there is nothing else to do.
      await expect
        .poll(async () => {
          const alone = await readLayout(openedAlone.page, 'widget')
          if (alone.elements.length <= 20) return [`${alone.elements.length} elements`]
          return diffLayouts(alone, await readLayout(page, 'widget'))
        }, patience)
        .toEqual([])
    })
  })
}

it('a message written in a third-party page arrives', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  const reported: unknown[] = []
  await page.exposeFunction('tell', (detail: unknown) => reported.push(detail))
  await page.goto(sites.urls['node-backend'])
  await page.evaluate(() =>
    document.addEventListener('sendwright:message-sent', (event) =>
      (window as unknown as { tell: (detail: unknown) => void }).tell((event as CustomEvent).detail),
    ),
  )
  await mailbox(page).waitFor({ state: 'attached' })
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Subject Line').fill('From a page')
  await fillText(page, '<p>Dear friend</p>')
  await page.getByLabel('Recipients', { exact: true }).fill('visitor-1@example.org')
  await page.getByLabel('Recipients', { exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  const [mail] = await server.mailsTo('visitor-1@example.org')
  expect(mail?.subject).toBe('From a page')
  await expect.poll(() => reported.length).toBe(1)
  expect(JSON.stringify(reported)).not.toMatch(/\b(ck|at|es|eh)_/)
  const everything = await readEverything(page)
  expect(everything).not.toMatch(/\b(ck|at|es)_[\w-]{6,}/)
})

it('a user signs in through the popup, allows the page, and sends from it', async () => {
  await using opened = await openPage(browser, { allowFaults: /401/ })
  const { page } = opened
  await page.goto(sites.urls.plain)
  await page.getByLabel('Subject Line').fill('Written before the sign-in')
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign In' }).first().click()
  const popup = await opening
  await popup.waitForURL('**/login')
  await popup.getByLabel('Email').fill(made.user.email)
  await popup.getByLabel('Password').fill(made.user.password)
  await popup.getByRole('button', { name: 'Sign In' }).click()
  await popup.getByText(sites.urls.plain, { exact: true }).waitFor()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
  await expect.poll(() => page.getByRole('button', { name: 'Sign In' }).count()).toBe(0)
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Written before the sign-in')
  expect(await readEverything(page)).not.toMatch(/\b(ck|at|es|ec)_[\w-]{6,}/)
})

it('a React app opens and closes its composer, renders again, and keeps the input', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(sites.urls.react)
  await mailbox(page).waitFor({ state: 'attached' })
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Your order')
  await chooseHtml(page)
  await page.getByLabel('Message body').fill('Dear friend')
  await page.getByRole('button', { name: 'Rendered 0 times' }).click()
  await page.getByRole('button', { name: 'Rendered 1 times' }).waitFor()
  await expect.poll(() => page.getByLabel('Message body').inputValue()).toBe('Dear friend')
  await page.getByRole('button', { name: 'Close the composer' }).click()
  await page.getByRole('button', { name: 'Open the composer' }).click()
  await mailbox(page).waitFor({ state: 'attached' })
})

it('htmx swaps the body, back and forth', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(sites.urls.htmx)
  await mailbox(page).waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Mailboxes' }).click()
  await page.getByRole('button', { name: 'Send a test from sandbox@localhost' }).waitFor()
  await page.getByRole('link', { name: 'Write' }).click()
  await page.getByLabel('Subject Line').fill('Back again')
})

for (const name of embedWidgets) {
  it(`500 mounts and unmounts of ${name} leak no node, listener or timer`, async () => {
    await using opened = await openPage(browser)
    const { page } = opened
    await page.addInitScript(noteTimers)
    await page.goto(sites.urls.bootstrap)
    await mailbox(page).waitFor({ state: 'attached' })
    const cdp = await page.context().newCDPSession(page)
    const rounds = (count: number) =>
      page.evaluate(
        async ([many, widget]) => {
          for (let round = 0; round < many; round += 1) {
            const element = document.createElement('div')
            const ready = new Promise((resolve) =>
              element.addEventListener('sendwright:ready', resolve, { once: true }),
            )
            document.body.append(element)
            window.sendwright!.mount(element, widget)
            await ready
            element.remove()
          }
          await new Promise((resolve) => setTimeout(resolve))
        },
        [count, name] as const,
      )
    const measure = async () => {
      // Chromium retains a removed option until the next state change that a style rule depends on.
      await page
        .getByLabel('From', { exact: true })
        .first()
        .evaluate((select: HTMLSelectElement) => {
          for (let change = 0; change < 2; change += 1) {
            select.selectedIndex = 1 - select.selectedIndex
            select.getBoundingClientRect()
          }
        })
      // One collection may release objects for the next.
      for (let pass = 0; pass < 3; pass += 1) await cdp.send('HeapProfiler.collectGarbage')
      const timers = await page.evaluate(() => (window as unknown as { timers: Set<unknown> }).timers.size)
      return { timers, ...(await cdp.send('Memory.getDOMCounters')) }
    }
    // The editor of the remaining composer loads once.
    await page.locator('[contenteditable=true]').waitFor()
    await rounds(20)
    // The remaining widget loads its lazy chunks meanwhile; each adds listeners.
    await page.waitForLoadState('networkidle')
    const before = await measure()
    await rounds(500)
    await expect
      .poll(async () => {
        const { nodes, jsEventListeners, timers } = await measure()
        return [nodes - before.nodes < 50, jsEventListeners - before.jsEventListeners < 50, timers <= before.timers]
      }, patience)
      .toEqual([true, true, true])
  })
}

/** Runs in the page: keeps timers that are neither due nor cleared in `window.timers`. */
function noteTimers(): void {
  const timers = new Set<unknown>()
  Object.assign(window, { timers })
  const later = window.setTimeout.bind(window)
  const often = window.setInterval.bind(window)
  const forget = window.clearTimeout.bind(window)
  window.setTimeout = ((run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const id: number = later(() => {
      timers.delete(id)
      run(...given)
    }, ms)
    timers.add(id)
    return id
  }) as typeof setTimeout
  window.setInterval = ((run: () => void, ms?: number) => {
    const id = often(run, ms)
    timers.add(id)
    return id
  }) as typeof setInterval
  window.clearTimeout = window.clearInterval = (id) => {
    timers.delete(id)
    forget(id)
  }
}

it('axe finds no violation in a page with widgets', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(sites.urls['node-backend'])
  await mailbox(page).waitFor({ state: 'attached' })
  expect(await axeViolations(page)).toEqual([])
})
