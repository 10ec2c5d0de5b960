import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectBrowser } from '../support/browser.ts'
import { settlePages, takePage, type ReusablePage } from '../support/reusable-page.ts'

let browser: Browser
let server: Server
let url: string
let requestCount = 0
beforeAll(async () => {
  browser = await connectBrowser()
  server = createServer((_request, response) => {
    requestCount += 1
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Page</title><p>Of the server</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
})

const options = { locale: 'en-GB', viewport: { width: 640, height: 480 } }
const take = () => takePage(browser, options, () => Promise.resolve(), false)
const giveBack = async (taken: ReusablePage, hasFailed = false) => {
  await taken.giveBack()
  await settlePages({ hasFailed })
}

/** What a test leaves behind, shown by the next one on the same page: first what it does, then what is to be seen afterwards. */
const traces: Record<string, [act: (page: Page) => unknown, seen: (page: Page) => unknown, expected: unknown]> = {
  'in the local storage': [
    (page) => page.evaluate(() => localStorage.setItem('left', 'yes')),
    (page) => page.evaluate(() => localStorage.length),
    0,
  ],
  'in the session storage': [
    (page) => page.evaluate(() => sessionStorage.setItem('left', 'yes')),
    (page) => page.evaluate(() => sessionStorage.length),
    0,
  ],
  'in the session storage as it is left': [
    (page) => page.evaluate(() => addEventListener('pagehide', () => sessionStorage.setItem('left', 'yes'))),
    (page) => page.evaluate(() => sessionStorage.length),
    0,
  ],
  'in a database': [
    (page) => page.evaluate(() => new Promise((done) => (indexedDB.open('left').onsuccess = done))),
    (page) => page.evaluate(async () => (await indexedDB.databases()).length),
    0,
  ],
  'in a cookie': [
    (page) => page.evaluate(() => (document.cookie = 'left=yes')),
    (page) => page.evaluate(() => document.cookie),
    '',
  ],
  'in the history': [
    async (page) => {
      await page.goto(`${url}second`)
      await page.goto(`${url}third`)
    },
    (page) => page.evaluate(() => history.length),
    1,
  ],
  'in the window’s size': [
    (page) => page.setViewportSize({ width: 390, height: 844 }),
    (page) => page.evaluate(() => [innerWidth, innerHeight]),
    [640, 480],
  ],
  'in the user’s preferences': [
    (page) => page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'reduce', contrast: 'more' }),
    (page) =>
      page.evaluate(() =>
        ['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(prefers-contrast: more)'].map(
          (query) => matchMedia(query).matches,
        ),
      ),
    [false, false, false, false],
  ],
  'in the permissions': [
    (page) => page.context().grantPermissions(['geolocation']),
    (page) => page.evaluate(async () => (await navigator.permissions.query({ name: 'geolocation' })).state),
    expect.not.stringMatching('granted'),
  ],
  'in a route of the page': [
    (page) => page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: 'Of a test' })),
    (page) => page.locator('body').innerText(),
    'Of the server',
  ],
  'in a route of its context': [
    (page) => page.context().route('**', (route) => route.fulfill({ contentType: 'text/html', body: 'Of a test' })),
    (page) => page.locator('body').innerText(),
    'Of the server',
  ],
  'in a script of the page': [
    (page) => page.addInitScript(() => Object.assign(window, { left: 'yes' })),
    (page) => page.evaluate(() => 'left' in window),
    false,
  ],
  'in a script of its context': [
    (page) => page.context().addInitScript(() => Object.assign(window, { left: 'yes' })),
    (page) => page.evaluate(() => 'left' in window),
    false,
  ],
  'in a function of the page': [
    (page) => page.exposeFunction('left', () => 'yes'),
    (page) => page.evaluate(() => 'left' in window),
    false,
  ],
  'in another page of its context': [(page) => page.context().newPage(), (page) => page.context().pages().length, 1],
}

describe('a page that is used again', () => {
  it.each(Object.keys(traces))('keeps nothing %s', async (name) => {
    const [act, seen, expected] = traces[name]!
    const first = await take()
    await first.page.goto(url)
    await act(first.page)
    await giveBack(first)
    const second = await take()
    expect(second.page).toBe(first.page)
    await second.page.goto(url)
    expect(await seen(second.page)).toEqual(expected)
    await giveBack(second)
  })

  it('calls no listener of the test before', async () => {
    const heard: string[] = []
    const first = await take()
    first.page.on('pageerror', (error) => heard.push(error.message))
    first.page.context().on('weberror', (error) => heard.push(error.error().message))
    await giveBack(first)
    const second = await take()
    expect(second.page).toBe(first.page)
    await second.page.goto(url)
    const own = second.page.waitForEvent('pageerror')
    await second.page.evaluate(() => reportError(new Error('later')))
    await own
    expect(heard).toEqual([])
    await giveBack(second)
  })

  it('requests nothing from the server of the test before when it is given back', async () => {
    const taken = await take()
    await taken.page.goto(url)
    const before = requestCount
    await giveBack(taken)
    expect(requestCount).toBe(before)
  })

  it('waits for the end of its test, which may show what it shows', async () => {
    const taken = await take()
    await taken.page.goto(url)
    await taken.giveBack()
    const other = await take()
    expect(other.page).not.toBe(taken.page)
    expect(await taken.page.locator('body').innerText()).toBe('Of the server')
    await other.giveBack()
    await settlePages({ hasFailed: false })
  })
})

describe('a page is closed in place of being used again', () => {
  const changes: Record<string, (page: Page, context: BrowserContext) => unknown> = {
    'its clock was stopped': (page) => page.clock.setFixedTime(0),
    'its clock was replaced': (page) => page.clock.install(),
    'it was offline': (_page, context) => context.setOffline(true),
    'its requests had further headers': (page) => page.setExtraHTTPHeaders({ 'x-left': 'yes' }),
    'the requests of its context had further headers': (_page, context) =>
      context.setExtraHTTPHeaders({ 'x-left': 'yes' }),
    'its browser was controlled directly': (page, context) => context.newCDPSession(page),
    'it has shown two sites': (page) => page.goto(url.replace('127.0.0.1', 'localhost')),
  }
  it.each(Object.keys(changes))('when %s', async (name) => {
    const taken = await take()
    await taken.page.goto(url)
    await changes[name]!(taken.page, taken.page.context())
    await giveBack(taken)
    expect(taken.page.isClosed()).toBe(true)
  })

  it('after a failed test', async () => {
    const taken = await take()
    await giveBack(taken, true)
    expect(taken.page.isClosed()).toBe(true)
  })

  it('when a test has closed it, which the next one does not notice', async () => {
    const taken = await take()
    await taken.page.close()
    await giveBack(taken)
    const next = await take()
    await next.page.goto(url)
    await giveBack(next)
  })
})
