import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's Chromium listens. */
    chromium: string
  }
}

/** The run's Chromium, started once by `browser.setup.ts`. Close it at the file's end: that closes its pages only. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('chromium'))
}

/** A page of its own context: nothing is shared with another test. */
export interface OwnPage extends AsyncDisposable {
  readonly page: Page
  /** What the page wrote to its console as an error, and what it threw. */
  readonly faults: readonly string[]
}

/** Opens a page in a fresh context; faults of the page fail the test at its end, unless `allowFaults` matches them. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions & { allowFaults?: RegExp } = {},
): Promise<OwnPage> {
  const { allowFaults, ...contextOptions } = options
  // Without a locale the page speaks that of the machine.
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', ...contextOptions })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.setDefaultTimeout(10_000)
  return {
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await context.close()
      expect(faults.filter((fault) => allowFaults?.test(fault) !== true)).toEqual([])
    },
  }
}

/** A rendered page is read before it comes alive: until then a press on its buttons does nothing. */
export async function comeAlive(part: Locator): Promise<void> {
  await expect
    .poll(() => part.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react'))), {
      timeout: 10_000,
    })
    .toBe(true)
}

/** Sizes at which every screen is looked at. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const

let axeSource: string | null = null

/** Elements that move although the person asked for no motion, shadow roots included. */
function movingElements(): string[] {
  const found = new Set<string>()
  const look = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
      const durations = [transitionDuration, animationName === 'none' ? '' : animationDuration].join().split(',')
      if (durations.some((duration) => Number.parseFloat(duration) > 0))
        found.add(
          `motion: ${element.localName}.${element.getAttribute('class') ?? ''} moves where no motion is asked for`,
        )
      if (element.shadowRoot !== null) look(element.shadowRoot)
    }
  }
  look(document)
  return [...found]
}

/**
 * What axe finds on the page, shadow roots included: rule, and the elements it names; and what moves although no motion
 * is asked for, since a colour on its way is none that axe can judge.
 * `isRecoloured` where it has found all but the colours on the same page before.
 */
export async function axeFindings(page: Page, { isRecoloured = false } = {}): Promise<string[]> {
  axeSource ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(axeSource)
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
