import type { Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { build } from '../../commands/build.ts'
import { startChromium } from '../../tests/support/chromium.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import { quantile, type Bench, type Figure } from '../report.ts'
import { signIn } from '../../tests/support/import-process.ts'
import { openOwnDatabase } from './own-database.ts'

const contactsCount = 1_000_000
const limitMs = 50
const wheelSteps = 300
const wheelPx = 240
/** Between two turns of the wheel, as of a person who turns it without a pause. */
const wheelPauseMs = 30
/** The calls for pages; those for the count are streams. */
const listPath = '/email/contacts'
const searches = ['per', 'person4', 'person77777@', '@mail12.example', 'ada', 'lovelace9', 'zzz']

/** The contacts screen in a browser, with a million contacts: opening, search, scrolling. Runs with `audience`. */
export const audienceScreenBench: Bench = {
  name: 'audience-screen',
  partOf: 'audience',
  title: `The contacts screen with ${contactsCount} contacts`,
  isLong: true,
  async run() {
    await build()
    await using home = await createServerHome({ WORKERS: '0', CALLS_PER_SECOND: '0', LOG_LEVEL: 'warn' })
    const server = await home.start()
    const { token } = await signIn(server)
    await addContacts(home.path)
    const chromiumServer = await startChromium()
    const browser = await chromium.connect(chromiumServer.wsEndpoint())
    try {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      await context.addInitScript((value) => localStorage.setItem('access_token', value), token)
      const page = await context.newPage()
      const calls = recordCalls(page)
      await page.goto(`${server.url}/dashboard/profile`)
      await page.getByRole('link', { name: 'Contacts' }).waitFor()
      return [
        await open(page),
        ...(await scroll(page)),
        ...(await search(page)),
        {
          case: `calls for contacts, p95 of ${calls.length}`,
          value: quantile(calls, 0.95),
          unit: 'ms',
          baseline: limitMs,
          against: 'limit',
        },
      ]
    } finally {
      await browser.close()
      await chromiumServer.close()
      await server.end('SIGTERM')
    }
  },
}

async function addContacts(dataDir: string): Promise<void> {
  const database = await openOwnDatabase(dataDir)
  await database.pool.query(
    `insert into contacts (workspace_id, email, email_key, source, fields, created_at, updated_at, last_sent_at)
     select w.id, address, address, 'import',
       jsonb_build_object('1', (array['Ada', 'Bo', 'Jürgen', 'Mirela'])[1 + n % 4], '2', 'Lovelace' || n % 5000),
       now() - n * interval '1 second', now(), case when n % 3 = 0 then now() - n * interval '1 minute' end
     from workspaces w, generate_series(1, $1::int) n,
       lateral (select 'person' || n || '@mail' || n % 997 || '.example' as address) given`,
    [contactsCount],
  )
  // As the server's own autovacuum does within a minute.
  await database.pool.query('vacuum analyze contacts')
  await database.close()
}

/** Durations of the calls for pages of contacts, from the request to the last byte. */
function recordCalls(page: Page): number[] {
  const timesMs: number[] = []
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === listPath) timesMs.push(request.timing().responseEnd)
  })
  return timesMs
}

const rows = (page: Page) => page.locator('.contacts-body [role=row]')

async function open(page: Page): Promise<Omit<Figure, 'bench'>> {
  const startedAt = performance.now()
  await page.getByRole('link', { name: 'Contacts' }).click()
  await rows(page).first().waitFor()
  return {
    case: 'open, until rows are shown',
    value: performance.now() - startedAt,
    unit: 'ms',
    baseline: null,
    against: '',
  }
}

/** Time between frames while `act` runs, in ms. */
async function framesDuring(page: Page, act: () => Promise<void>): Promise<number[]> {
  const stop = await page.evaluateHandle(() => {
    const betweenMs: number[] = []
    let isRunning = true
    let last: number | null = null
    const note = (at: number) => {
      if (last !== null) betweenMs.push(at - last)
      last = at
      if (isRunning) requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
    return () => {
      isRunning = false
      return betweenMs
    }
  })
  await act()
  return stop.evaluate((end) => end())
}

const frameFigures = (name: string, frames: number[]): Omit<Figure, 'bench'>[] => [
  {
    case: `${name}, longest of ${frames.length} frames`,
    value: Math.max(...frames),
    unit: 'ms',
    baseline: limitMs,
    against: 'limit',
  },
  {
    case: `${name}, frames over ${limitMs} ms`,
    value: frames.filter((ms) => ms > limitMs).length,
    unit: '',
    baseline: null,
    against: 'none wanted',
  },
]

async function scroll(page: Page): Promise<Omit<Figure, 'bench'>[]> {
  await page.mouse.move(700, 600)
  const frames = await framesDuring(page, async () => {
    for (let step = 0; step < wheelSteps; step++) {
      await page.mouse.wheel(0, wheelPx)
      await page.waitForTimeout(wheelPauseMs)
    }
  })
  const reached = await page.locator('.contacts-scroll').evaluate(({ scrollTop }) => scrollTop)
  if (reached < (wheelSteps * wheelPx) / 4) throw new Error(`The wheel reached ${reached} px only`)
  return frameFigures('scrolling by wheel', frames)
}

async function search(page: Page): Promise<Omit<Figure, 'bench'>[]> {
  const field = page.getByRole('searchbox', { name: 'Search' })
  const timesMs: number[] = []
  const frames = await framesDuring(page, async () => {
    for (const text of searches) {
      const answered = page.waitForResponse((response) => {
        const { pathname, searchParams } = new URL(response.url())
        return pathname === listPath && searchParams.get('search') === text
      })
      await field.fill(text)
      const response = await answered
      await response.finished()
      timesMs.push(response.request().timing().responseEnd)
    }
  })
  return [
    { case: 'search, slowest call', value: Math.max(...timesMs), unit: 'ms', baseline: limitMs, against: 'limit' },
    ...frameFigures('search', frames),
  ]
}
