import { chromium, type Browser } from 'playwright-core'
import { build } from '../commands/build.ts'
import { startChromium } from '../tests/support/chromium.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { quantile, type Bench } from './report.ts'

const visitCount = 5
/** A slow phone on a slow connection: 1.6 Mbps, 150 ms, a quarter of this machine's speed. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const cpuSlowdown = 4
const limits = { largestPaintMs: 1200, scriptBytes: 85_000, layoutShift: 0.1 }

interface Visit {
  firstPaintMs: number
  largestPaintMs: number
  layoutShift: number
  scriptBytes: number
  allBytes: number
}

/** The landing page on a phone: loading times, and the bytes fetched before any interaction. */
export const landingBench: Bench = {
  name: 'landing',
  title: 'Landing page at 1.6 Mbps, 150 ms, CPU ÷ 4, nothing cached',
  async run() {
    await build()
    await using folder = await temporaryFolder()
    const environment = { PORT: '0', DATA_DIR: folder.path, WORKERS: '0' }
    await using server = await startServerProcess({ environment })
    const chromiumServer = await startChromium()
    const browser = await chromium.connect(chromiumServer.wsEndpoint())
    const visits: Visit[] = []
    try {
      await visit(browser, server.url) // The server compresses the page once.
      for (let run = 0; run < visitCount; run++) visits.push(await visit(browser, server.url))
    } finally {
      await browser.close()
      await chromiumServer.close()
    }
    await server.end('SIGTERM')
    const median = (pick: (one: Visit) => number) => quantile(visits.map(pick), 0.5)
    const worst = (pick: (one: Visit) => number) => Math.max(...visits.map(pick))
    const limit = (baseline: number) => ({ baseline, against: 'limit' })
    const none = { baseline: null, against: '' }
    return [
      { case: 'first contentful paint, median', value: median((one) => one.firstPaintMs), unit: 'ms', ...none },
      {
        case: 'largest contentful paint, median',
        value: median((one) => one.largestPaintMs),
        unit: 'ms',
        ...limit(limits.largestPaintMs),
      },
      {
        case: 'largest contentful paint, worst',
        value: worst((one) => one.largestPaintMs),
        unit: 'ms',
        ...limit(limits.largestPaintMs),
      },
      {
        case: 'scripts before any interaction',
        value: worst((one) => one.scriptBytes) / 1000,
        unit: 'kB',
        ...limit(limits.scriptBytes / 1000),
      },
      { case: 'everything before any interaction', value: worst((one) => one.allBytes) / 1000, unit: 'kB', ...none },
      {
        case: 'layout shift × 1000, worst',
        value: worst((one) => one.layoutShift) * 1000,
        unit: '',
        ...limit(limits.layoutShift * 1000),
      },
    ]
  },
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.goto(url, { waitUntil: 'networkidle' })
    return await page.evaluate(async () => {
      const largest = await new Promise<PerformanceEntry | undefined>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1))).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      })
      const shifts = await new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      })
      const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      const bytes = (all: PerformanceResourceTiming[]) => all.reduce((sum, one) => sum + one.encodedBodySize, 0)
      return {
        firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        largestPaintMs: largest?.startTime ?? Number.NaN,
        layoutShift: shifts,
        scriptBytes: bytes(fetched.filter(({ name }) => name.endsWith('.js'))),
        allBytes: bytes(fetched) + (document?.encodedBodySize ?? 0),
      }
    })
  } finally {
    await context.close()
  }
}
