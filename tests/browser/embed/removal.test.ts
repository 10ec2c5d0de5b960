import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'

const bench = embedBench()
const rows = { json: [], headers: { 'X-Total-Count': '0', ...cors } }
const composer = '<div data-sendwright="compose" id="one"></div>'

/** A session that a page renews after one second at the earliest. */
const shortSession = () =>
  JSON.stringify({ session_token: 'es_one', expires_at: new Date(Date.now() + 1000).toISOString() })

describe('a widget removed during a session request', () => {
  it('TRIAL-54 sends no further session request after the late response', async () => {
    let askedCount = 0
    const requested = Promise.withResolvers<null>()
    const resume = Promise.withResolvers<null>()
    bench.host.on('/late', (_request, response) => {
      askedCount += 1
      requested.resolve(null)
      void resume.promise.then(() => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(shortSession())
      })
    })
    bench.host.on('/', pageWith(bench.embed, composer).replace('/session', '/late'))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    await page.clock.install()
    await page.goto(bench.host.url)
    await waitForState(page, 'ready')
    await requested.promise
    await remove(page)
    resume.resolve(null)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await page.clock.runFor(120_000)
    // A request of the widget would have reached the site before this one.
    await page.evaluate(() => fetch('/session', { method: 'POST' }).then((answer) => answer.text()))
    expect(askedCount).toBe(1)
  })

  it('reports no fault where the part that asks for the session never came', async () => {
    bench.host.on('/', pageWith(bench.embed, composer))
    await using opened = await openPage(bench.browser, { allowFaults: /Failed to load resource/ })
    const { page } = opened
    await page.clock.install()
    await page.route('**/client-*.js', (route) => route.abort())
    await page.goto(bench.host.url)
    await waitForState(page, 'ready')
    await page.getByRole('button', { name: 'Try Again' }).waitFor()
    await remove(page)
    await page.evaluate(() => new Promise((resolve) => window.setTimeout(resolve)))
  })

  it('does not call the page’s own function again after its late response', async () => {
    const script = `<script>window.sendwright = { q: [['auth', () => {
      window.asked = (window.asked ?? 0) + 1
      return new Promise((resolve) => (window.answer = resolve))
    }]] }</script>`
    bench.host.on('/', pageWith(bench.embed, composer, { head: script }))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    await page.clock.install()
    await page.goto(bench.host.url)
    await waitForState(page, 'ready')
    await page.waitForFunction(() => (window as unknown as { asked?: number }).asked)
    await remove(page)
    await page.evaluate(
      (session: object) => {
        ;(window as unknown as { answer: (session: object) => void }).answer(session)
      },
      JSON.parse(shortSession()) as object,
    )
    await page.clock.runFor(120_000)
    await expect.poll(() => page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1)
  })
})

it('TRIAL-55 a page holds no host element, timer or open request of the embed after 1,000 quick mounts and unmounts', async () => {
  bench.embed.api.on('getEmailTemplates', rows)
  bench.embed.api.on('listDocuments', rows)
  bench.host.on('/', pageWith(bench.embed, ''))
  await using opened = await openPage(bench.browser)
  const { page } = opened
  await page.addInitScript(countWhatIsOpen)
  await page.goto(bench.host.url)
  await page.waitForFunction(() => window.sendwright?.version)
  const cycle = (count: number) =>
    page.evaluate(async (many) => {
      const { removed } = window as unknown as Counted
      for (let at = 0; at < many; at += 1) {
        const element = document.createElement('div')
        element.dataset['sendwright'] = ['compose', 'config-manager', 'template-picker'][at % 3]!
        removed.push(new WeakRef(element))
        document.body.append(element)
        // Each is removed at another stage of its mount: before a task, after some tasks, or once it is ready.
        for (let wait = at % 6; wait > 0; wait -= 1) await new Promise((resolve) => setTimeout(resolve))
        if (at % 100 === 99 && element.dataset['sendwrightState'] !== 'ready')
          await new Promise((resolve) => element.addEventListener('sendwright:ready', resolve, { once: true }))
        element.remove()
      }
    }, count)
  const client = await page.context().newCDPSession(page)
  const open = async () => {
    await client.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await client.send('Runtime.getHeapUsage')) as { usedSize: number }
    return { usedSize, ...(await page.evaluate(() => (window as unknown as Counted).open())) }
  }
  // The renderer may retain its last rendered tree.
  const nothing = { elements: expect.toSatisfy((count: number) => count < 2) as number, timers: 0, requests: 0 }
  // Load all one-time modules before the heap is measured.
  await cycle(100)
  await expect.poll(open).toMatchObject(nothing)
  const before = await open()
  await cycle(1000)
  await expect.poll(open).toMatchObject(nothing)
  const after = await open()
  expect(after.usedSize - before.usedSize).toBeLessThan(1_000_000)
  await expect.poll(() => page.locator('body > *').count()).toBe(0)
}, 60_000)

interface Counted {
  removed: WeakRef<Element>[]
  open: () => { elements: number; timers: number; requests: number }
}

/** Runs in the page before its scripts: counts timers and requests until they end, and removed elements until they are collected. */
function countWhatIsOpen(): void {
  const timers = new Set<unknown>()
  let requestCount = 0
  const [set, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
  const [repeat, stop] = [window.setInterval.bind(window), window.clearInterval.bind(window)]
  const request = window.fetch.bind(window)
  const removed: WeakRef<Element>[] = []
  Object.assign(window, {
    removed,
    open: () => ({
      elements: removed.filter((one) => one.deref() !== undefined).length,
      timers: timers.size,
      requests: requestCount,
    }),
    setTimeout(act: () => void, ms?: number) {
      const id = set(() => {
        timers.delete(id)
        act()
      }, ms)
      timers.add(id)
      return id
    },
    clearTimeout(id: number) {
      timers.delete(id)
      clear(id)
    },
    setInterval(act: () => void, ms?: number) {
      const id = repeat(act, ms)
      timers.add(id)
      return id
    },
    clearInterval(id: number) {
      timers.delete(id)
      stop(id)
    },
    async fetch(...given: Parameters<typeof request>) {
      requestCount += 1
      try {
        return await request(...given)
      } finally {
        requestCount -= 1
      }
    },
  })
}

async function remove(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('#one')!.remove())
  await page.evaluate(() => new Promise(requestAnimationFrame))
}
