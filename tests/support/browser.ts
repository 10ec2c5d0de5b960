import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, expect, inject } from 'vitest'
import { takePage } from './reusable-page.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The endpoint of the run's Chromium. */
    chromium: string
  }
}

/** The run's Chromium for all tests of the file that calls this first. */
export async function useBrowser(): Promise<Browser> {
  const browser = await connectBrowser()
  afterAll(() => browser.close())
  return browser
}

/** The run's Chromium, started once by `browser.setup.ts`. Close it at the file's end: that closes its pages only. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('chromium'))
}

/**
 * The open pages, those that the current test gave back, and what pages of journeys showed then: the error of a failed test
 * ends with it.
 */
const openPages = new Set<Page>()
const returnedPages = new Set<Page>()
let shownAtClose: string[] = []

/** Before each test. */
export function forgetShownPages(): void {
  returnedPages.clear()
  shownAtClose = []
}

/** After a failed test: adds what its pages show to its error. */
export async function showPages(error: { message: string }): Promise<void> {
  const pages = [...returnedPages, ...openPages].filter((page) => !page.isClosed())
  const shown = await Promise.all(pages.map(contentOf))
  error.message = [error.message, ...shownAtClose, ...shown].join('\n\n')
}

/** A page's address and its accessible content; at most 6,000 characters. */
async function contentOf(page: Page): Promise<string> {
  const content = await page
    .locator('body, main')
    .last()
    .ariaSnapshot({ timeout: 5000 })
    .catch((error: unknown) => String(error))
  return `${page.url()} shows:\n${content.slice(0, 6000)}`
}

/** An opened page: `await using` gives it back. */
export interface OpenedPage extends AsyncDisposable {
  readonly page: Page
  /** The page's console errors and uncaught exceptions. */
  readonly faults: readonly string[]
}

export interface PageOptions extends BrowserContextOptions {
  /** Faults that the test expects. */
  allowFaults?: RegExp
  /** With an empty HTTP cache: for what a page cannot load while it is offline. */
  isNew?: boolean
}

/**
 * Opens a page that shares nothing but code and the HTTP cache with other tests; faults of the page fail the test at its end,
 * unless `allowFaults` matches them.
 */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { allowFaults, isNew = false, ...contextOptions } = options
  // Without a locale the page uses that of the machine.
  const given = { locale: 'en-GB', timezoneId: 'Europe/London', ...contextOptions }
  const { page, giveBack } = await takePage(browser, given, undoAtOnce, isNew)
  openPages.add(page)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.setDefaultTimeout(60_000)
  // Choosers are reported from now on: a key pressed at once may reach the page before it is asked to report them.
  page.on('filechooser', () => undefined)
  return {
    page,
    faults,
    async [Symbol.asyncDispose]() {
      // A server of a journey waits for its streams to end when it stops.
      const isJourney = expect.getState().testPath?.includes('/journeys/') === true
      openPages.delete(page)
      if (isJourney) shownAtClose.push(await contentOf(page))
      else returnedPages.add(page)
      await giveBack({ isStopped: isJourney })
      expect(faults.filter((fault) => allowFaults?.test(fault) !== true)).toEqual([])
    },
  }
}

/** Mail leaves at once: a test of Undo sets another time. */
async function undoAtOnce(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (location.protocol.startsWith('http')) sessionStorage.setItem('sendwright-undo', '0')
  })
}

/** A prerendered page is readable before it hydrates: until then a click on its buttons does nothing. */
export async function waitForHydration(part: Locator): Promise<void> {
  await expect
    .poll(() => part.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react'))), {
      timeout: 60_000,
    })
    .toBe(true)
}

/**
 * Clicks what a locator finds. A click waits for the element that it found first, which the page may hide in that moment, such
 * as the text box of a message when its editor has loaded.
 */
export async function clickShown(part: Locator): Promise<void> {
  const click = () =>
    part.click({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  await expect.poll(click, { timeout: 60_000 }).toBe(true)
}

/**
 * Writes the message of a composer in Text mode. Its editor replaces the plain text box once it is loaded: a fill that found
 * the plain one would wait for that one to be shown again.
 */
export async function fillText(page: Page, text: string): Promise<void> {
  await page.locator('.rich-text').waitFor()
  await page.getByLabel('Message body').fill(text)
}

/** Changes a composer from Text mode to HTML mode: the mode has changed when the editor of Text mode is gone. */
export async function chooseHtml(page: Page): Promise<void> {
  await page.locator('.rich-text').waitFor()
  await page.getByRole('radio', { name: 'HTML' }).click()
  await page.locator('.rich-text').waitFor({ state: 'detached' })
}

/** The place and size of a part in the window, once it is there: a redrawn part has none for a moment. */
export async function boxOf(part: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null
  await expect.poll(async () => (box = await part.boundingBox()), { timeout: 60_000 }).not.toBeNull()
  return box!
}

/** Window sizes for every screen. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const

let axeSource: string | null = null

/** Elements that move although the user prefers reduced motion, shadow roots included. */
function movingElements(): string[] {
  const found = new Set<string>()
  const inspect = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
      const durations = [transitionDuration, animationName === 'none' ? '' : animationDuration].join().split(',')
      if (durations.some((duration) => Number.parseFloat(duration) > 0))
        found.add(
          `motion: ${element.localName}.${element.getAttribute('class') ?? ''} moves where no motion is asked for`,
        )
      if (element.shadowRoot !== null) inspect(element.shadowRoot)
    }
  }
  inspect(document)
  return [...found]
}

/**
 * The axe violations of the page, shadow roots included: rule, and its elements; and moving elements despite reduced
 * motion, because axe cannot check a colour in transition.
 * `isRecoloured`: axe has already checked everything but the colours on the same page.
 */
export async function axeViolations(page: Page, { isRecoloured = false } = {}): Promise<string[]> {
  axeSource ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const moving = await page.evaluate(movingElements)
  const found = await page.evaluate(
    async (runOnly) => {
      const { axe } = globalThis as unknown as { axe: typeof Axe }
      const { violations } = await axe.run(runOnly === null ? {} : { runOnly })
      return violations.flatMap((rule) =>
        rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} — ${node.failureSummary ?? ''}`),
      )
    },
    isRecoloured ? ['color-contrast', 'link-in-text-block'] : null,
  )
  return [...moving, ...found]
}
