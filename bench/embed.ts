import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright-core'
import { build } from '../commands/build.ts'
import { reservedHeight } from '../contract/embed/embed-heights.ts'
import { startChromium } from '../tests/support/chromium.ts'
import { pageWith, sessionAnswer, startEmbedApi, startHostSite } from '../tests/support/embed-site.ts'
import { quantile, type Bench } from './report.ts'

const visitCount = 7
/** A slow phone on a slow connection: 1.6 Mbps, 150 ms, a quarter of this machine's speed. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const cpuSlowdown = 4
const limits = { readyMs: 450, layoutShift: 0.001 }

/** Loaders of other products, as published on npm. Each loads an iframe afterwards, which is not counted here. */
const peers = [
  ['Cal.com', '@calcom/embed-snippet/dist/snippet.es.js'],
  ['Typeform', '@typeform/embed/build/embed.js'],
] as const

/** The time from the script's request to a usable composer in a third-party page, and the transferred bytes. */
export const embedBench: Bench = {
  name: 'embed',
  title: 'Embed at 1.6 Mbps, 150 ms, CPU ÷ 4, nothing cached',
  async run() {
    await build()
    await using embed = await startEmbedApi()
    await using host = await startHostSite()
    host.on('/session', sessionAnswer())
    const reserved = `<p>Before</p><div data-sendwright="compose" style="min-height: ${reservedHeight('compose')}"></div><p>After</p>`
    // As delivered.
    host.on('/', pageWith(embed, reserved, { loader: 'compose.js' }))
    for (const [name, file] of peers) {
      const text = await readFile(new URL(`../node_modules/${file}`, import.meta.url), 'utf8')
      host.on(`/${name}.js`, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/javascript', 'Content-Encoding': 'gzip' })
        response.end(gzipSync(text, { level: 9 }))
      })
      const kind = file.includes('.es.') ? 'type="module"' : 'async'
      host.on(
        `/${name}`,
        `<!doctype html><title>${name}</title><script ${kind} src="/${name}.js" onload="performance.mark('ran')"></script>`,
      )
    }
    const server = await startChromium()
    const browser = await chromium.connect(server.wsEndpoint())
    try {
      const visits: Visit[] = []
      const peerVisits = new Map<string, PeerVisit[]>(peers.map(([name]) => [name, []]))
      // Alternating, so that load on the machine affects all of them.
      for (let run = 0; run < visitCount; run += 1) {
        visits.push(await visit(browser, host.url))
        for (const [name, list] of peerVisits) list.push(await visitPeer(browser, `${host.url}/${name}`))
      }
      const median = (pick: (one: Visit) => number) => quantile(visits.map(pick), 0.5)
      const medianOf = (name: string, pick: (one: PeerVisit) => number) =>
        quantile((peerVisits.get(name) ?? []).map(pick), 0.5)
      const none = { baseline: null, against: '' }
      return [
        {
          case: 'script request → ready, median',
          value: median((one) => one.readyMs),
          unit: 'ms',
          baseline: limits.readyMs,
          against: 'limit',
        },
        {
          case: 'script request → ready, worst',
          value: Math.max(...visits.map((one) => one.readyMs)),
          unit: 'ms',
          baseline: limits.readyMs,
          against: 'limit',
        },
        {
          case: 'layout shift × 1000, worst',
          value: Math.max(...visits.map((one) => one.layoutShift)) * 1000,
          unit: '',
          baseline: limits.layoutShift * 1000,
          against: 'limit',
        },
        {
          case: 'scripts until ready',
          value: median((one) => one.readyBytes) / 1000,
          unit: 'kB',
          baseline: 20,
          against: 'limit',
        },
        {
          case: 'scripts until the mailboxes are listed',
          value: median((one) => one.allBytes) / 1000,
          unit: 'kB',
          ...none,
        },
        ...peers.map(([name]) => ({
          case: `${name}: its loader alone, before its iframe, median`,
          value: medianOf(name, ({ ranMs }) => ranMs),
          unit: 'ms',
          ...none,
        })),
        ...peers.map(([name]) => ({
          case: `${name}: its loader alone, before its iframe`,
          value: medianOf(name, ({ bytes }) => bytes) / 1000,
          unit: 'kB',
          ...none,
        })),
      ]
    } finally {
      await browser.close()
      await server.close()
    }
  },
}

interface Visit {
  readyMs: number
  layoutShift: number
  readyBytes: number
  allBytes: number
}

async function slowPage(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return { page, context }
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const { page, context } = await slowPage(browser)
  try {
    await page.addInitScript(() => {
      const noted = { readyAt: 0, shift: 0 }
      Object.assign(window, { noted })
      document.addEventListener('sendwright:ready', () => (noted.readyAt = performance.now()))
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) noted.shift += (entry as PerformanceEntry & { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(url, { waitUntil: 'networkidle' })
    return await page.evaluate(() => {
      const { noted } = window as unknown as { noted: { readyAt: number; shift: number } }
      const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
        /\.js(\?|$)/.test(name),
      )
      const loader = scripts.find(({ name }) => name.includes('/embed/compose.js'))
      // A file that is first preloaded into the cache and then read from it is listed twice and sent once.
      const sizes = new Map(scripts.map(({ name, encodedBodySize }) => [name, encodedBodySize]))
      const sum = (names: Iterable<string>) => [...names].reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0)
      const first = scripts
        .filter(({ name }) => /\/embed\/(compose\.js|.*\/(core|kit|compose)-)/.test(name))
        .map(({ name }) => name)
      return {
        readyMs: noted.readyAt - (loader?.startTime ?? Number.NaN),
        layoutShift: noted.shift,
        readyBytes: sum(new Set(first)),
        allBytes: sum(sizes.keys()),
      }
    })
  } finally {
    await context.close()
  }
}

interface PeerVisit {
  ranMs: number
  bytes: number
}

async function visitPeer(browser: Browser, url: string): Promise<PeerVisit> {
  const { page, context } = await slowPage(browser)
  try {
    // The files that it loads next are not on this machine.
    await page.route(
      (address) => address.origin !== new URL(url).origin,
      (route) => route.abort(),
    )
    await page.goto(url)
    await page.waitForFunction(() => performance.getEntriesByName('ran').length > 0)
    return await page.evaluate(() => {
      const [script] = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
        name.endsWith('.js'),
      )
      const [ran] = performance.getEntriesByName('ran')
      return { ranMs: (ran?.startTime ?? Number.NaN) - (script?.startTime ?? 0), bytes: script?.encodedBodySize ?? 0 }
    })
  } finally {
    await context.close()
  }
}
