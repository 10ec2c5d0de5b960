import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
  Request,
  Response,
} from 'playwright-core'

/**
 * A page that the tests of a file use one after another: its code and its HTTP cache stay, nothing else does. A new context
 * costs a test three times as much.
 */
export interface ReusablePage {
  page: Page
  /** `settlePages` empties it at the end of the test, so that a failed test can still show it. `isStopped`: it is left at once. */
  giveBack: (options?: { isStopped?: boolean }) => Promise<void>
}

interface Kept {
  context: BrowserContext
  page: Page
  session: CDPSession
  options: BrowserContextOptions
  /** Origins that frames of the context have shown, with the opener policy of their pages. */
  origins: Map<string, string>
  /** Undoes what a test has added: listeners, init scripts, functions. */
  added: (() => unknown)[]
  /** Whether a test has changed what cannot be changed back. */
  isSpoilt: boolean
}

const policyName = 'cross-origin-opener-policy'
const noPolicy = 'unsafe-none'

const defaults = {
  viewport: { width: 1280, height: 720 },
  colorScheme: 'light',
  reducedMotion: 'no-preference',
  forcedColors: 'none',
  contrast: 'no-preference',
} as const

/** Pages that wait for the next test, by their options. */
const waiting = new WeakMap<Browser, Map<string, Kept[]>>()

/** Pages that the current test gave back. */
const returned: { kept: Kept; idle: Kept[] }[] = []

/** Takes a page with these options, blank and without history, storage, routes and listeners; `prepare` is run once in its context. */
export async function takePage(
  browser: Browser,
  options: BrowserContextOptions,
  prepare: (context: BrowserContext) => Promise<void>,
  isNew: boolean,
): Promise<ReusablePage> {
  const key = JSON.stringify(options)
  const byOptions = waiting.get(browser) ?? new Map<string, Kept[]>()
  waiting.set(browser, byOptions)
  const idle = byOptions.get(key) ?? []
  byOptions.set(key, idle)
  const kept = (isNew ? undefined : idle.pop()) ?? (await create(browser, options, prepare))
  return {
    page: kept.page,
    async giveBack({ isStopped = false } = {}) {
      if (kept.isSpoilt || kept.page.isClosed()) return kept.context.close()
      if (isStopped) {
        await undoAdditions(kept)
        await kept.page.goto('about:blank')
      }
      returned.push({ kept, idle })
    },
  }
}

/**
 * At the end of a test: empties the pages that it gave back, before the next one begins to count what its server receives.
 * After a failed one they are closed.
 */
export async function settlePages({ hasFailed }: { hasFailed: boolean }): Promise<void> {
  await Promise.all(
    returned.splice(0).map(async ({ kept, idle }) => {
      if (hasFailed) await kept.context.close()
      else if (await empty(kept)) idle.push(kept)
    }),
  )
}

async function create(
  browser: Browser,
  options: BrowserContextOptions,
  prepare: (context: BrowserContext) => Promise<void>,
): Promise<Kept> {
  const context = await browser.newContext(options)
  await prepare(context)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const kept: Kept = { context, page, session, options, origins: new Map(), added: [], isSpoilt: false }
  context.on('request', (request) => noteOrigin(kept, request))
  context.on('response', (response) => notePolicy(kept, response))
  watchAdditions(kept)
  return kept
}

function noteOrigin({ origins }: Kept, request: Request): void {
  const origin = originOf(request)
  if (origin !== null && !origins.has(origin)) origins.set(origin, noPolicy)
}

function notePolicy({ origins }: Kept, response: Response): void {
  const policy = response.headers()[policyName]
  const origin = originOf(response.request())
  if (origin !== null && policy !== undefined) origins.set(origin, policy)
}

function originOf(request: Request): string | null {
  return request.isNavigationRequest() && /^https?:/.test(request.url()) ? new URL(request.url()).origin : null
}

/** Remembers what a test adds to the page and its context, and whether it changes what cannot be changed back. */
function watchAdditions(kept: Kept): void {
  const { page, context } = kept
  for (const target of [page, context] as (Page & BrowserContext)[]) {
    for (const name of ['addInitScript', 'exposeFunction', 'exposeBinding'] as const) {
      const add = target[name].bind(target) as (...given: unknown[]) => Promise<{ dispose: () => Promise<void> }>
      Object.assign(target, {
        [name]: async (...given: unknown[]) => {
          const one = await add(...given)
          kept.added.push(() => one.dispose())
          return one
        },
      })
    }
    for (const name of ['on', 'once'] as const) {
      const listen = target[name].bind(target) as (event: string, listener: () => void) => unknown
      Object.assign(target, {
        [name]: (event: string, listener: () => void) => {
          kept.added.push(() => target.removeListener(event as 'close', listener))
          return listen(event, listener)
        },
      })
    }
  }
  const spoil = <Target extends object>(target: Target, name: keyof Target & string) => {
    const act = (target[name] as (...given: unknown[]) => unknown).bind(target)
    Object.assign(target, {
      [name]: (...given: unknown[]) => {
        kept.isSpoilt = true
        return act(...given)
      },
    })
  }
  spoil(page.clock, 'install')
  spoil(page.clock, 'setFixedTime')
  spoil(page.clock, 'setSystemTime')
  spoil(context, 'newCDPSession')
  spoil(context, 'setOffline')
  spoil(context, 'setExtraHTTPHeaders')
  spoil(page, 'setExtraHTTPHeaders')
  spoil(page, 'routeWebSocket')
}

async function undoAdditions({ added }: Kept): Promise<void> {
  for (const undo of added.splice(0).reverse()) await undo()
}

/** False where the page cannot be used again; it is closed then. */
async function empty(kept: Kept): Promise<boolean> {
  const { page, context, options, session, origins } = kept
  try {
    // Storage of frames from another site is partitioned: no page of ours reaches it.
    const hosts = new Set([...origins.keys()].map((origin) => new URL(origin).hostname))
    if (hosts.size > 1) throw new Error('Two sites')
    const others = context.pages().filter((other) => other !== page)
    await Promise.all(others.map((other) => other.close()))
    await undoAdditions(kept)
    await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.unrouteAll({ behavior: 'ignoreErrors' })])
    await clearStorage(kept)
    await Promise.all([
      page.setViewportSize(options.viewport ?? defaults.viewport),
      page.emulateMedia({ media: null, ...pick(options) }),
      options.permissions === undefined ? context.clearPermissions() : Promise.resolve(),
      page.mouse.move(0, 0),
      session.send('Page.resetNavigationHistory'),
    ])
    origins.clear()
    return true
  } catch {
    await context.close()
    return false
  }
}

function pick({ colorScheme, reducedMotion, forcedColors, contrast }: BrowserContextOptions) {
  return {
    colorScheme: colorScheme ?? defaults.colorScheme,
    reducedMotion: reducedMotion ?? defaults.reducedMotion,
    forcedColors: forcedColors ?? defaults.forcedColors,
    contrast: contrast ?? defaults.contrast,
  }
}

/**
 * What pages write as they close is there after they are left: a blank page of each origin clears it. It has the opener policy of
 * the origin's pages: with another the browser would start a process for it, and one for the next page.
 */
async function clearStorage({ page, context, session, origins }: Kept): Promise<void> {
  await context.route('**/*', (route) => {
    const policy = origins.get(new URL(route.request().url()).origin) ?? noPolicy
    return route.fulfill({ contentType: 'text/html', headers: { [policyName]: policy }, body: '<!doctype html>' })
  })
  for (const origin of origins.keys()) {
    await page.goto(`${origin}/`)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    const left = await page.evaluate(async () => {
      sessionStorage.clear()
      return [localStorage.length, (await indexedDB.databases()).length, document.cookie]
    })
    if (left.some((value) => value !== 0 && value !== '')) throw new Error(`${origin} still has ${left.join()}`)
  }
  await Promise.all([context.unrouteAll(), context.clearCookies()])
}
