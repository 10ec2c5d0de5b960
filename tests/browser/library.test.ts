import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escapeHtml, fillTemplate, parseTemplate } from '../../contract/mail/merge-variables.ts'
import { catalogue } from '../../library/catalogue.ts'
import type { LibraryTemplate } from '../../library/template.ts'
import { axeViolations, connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'

let browser: Browser
let own: OpenedPage
let library: LibraryTemplate[]

beforeAll(async () => {
  browser = await connectBrowser()
  own = await openPage(browser)
  const file = join(import.meta.dirname, '../../dist/library/index.json')
  library = JSON.parse(await readFile(file, 'utf8')) as LibraryTemplate[]
})
afterAll(async () => {
  await own[Symbol.asyncDispose]()
  await browser.close()
})

/** From narrow to wide: a phone, a larger phone and a reading pane. */
const widths = [320, 390, 700]

/** One-letter words fill a line completely, in any font. */
const longNames = {
  company: 'i '.repeat(80).trim(),
  first_name: 'Maximiliana-Alexandra',
  event_weekday: 'Wednesday',
}

function htmlOf(slug: string, change: (sample: Record<string, string>) => Record<string, string>): string {
  const template = library.find(({ data }) => data.key === slug)
  if (!template) throw new Error(`${slug} is not built`)
  return fillTemplate(parseTemplate(template.data.body), change({ ...template.data.sample }), escapeHtml)
}

/** Landmarks belong to the mail client that shows the mail. */
async function findings(page: Page): Promise<string[]> {
  return (await axeViolations(page)).filter((finding) => !/^(?:landmark-one-main|region):/.test(finding))
}

/** Overflows: horizontal scrolling, text outside the page, texts of two cells that overlap. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const boxOf = (node: Node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getBoundingClientRect()
    }
    const scrolled = document.documentElement.scrollWidth - innerWidth
    if (scrolled > 0) found.push(`it scrolls ${scrolled} px sideways`)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { left, right, height } = boxOf(node)
      if (height > 1 && (left < 0 || right > innerWidth)) found.push(`“${node.textContent?.trim()}” is cut off`)
    }
    for (const cell of document.querySelectorAll('td')) {
      const next = cell.nextElementSibling
      if (!next || cell.innerText.trim() === '' || (next as HTMLElement).innerText.trim() === '') continue
      const words = [...cell.querySelectorAll('p, a, h1, h2, h3')].map((element) => boxOf(element).right)
      const others = [...next.querySelectorAll('p, a, h1, h2, h3')].map((element) => boxOf(element).left)
      if (Math.min(...others) - Math.max(...words) < 9) found.push(`“${cell.innerText.trim()}” touches its neighbour`)
    }
    return found
  })
}

describe.each(catalogue.map(({ slug }) => slug))('the template %s', (slug) => {
  it('fits every width, is accessible in light and in dark, and requests nothing', async () => {
    const { page } = own
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.setContent(htmlOf(slug, (sample) => sample))
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findings(page), colorScheme).toEqual([])
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      expect(await misfits(page), `at ${width} px`).toEqual([])
    }
    page.removeAllListeners('request')
    expect(requests).toEqual([])
  })

  it('fits a narrow phone without values and with long names', async () => {
    const { page } = own
    await page.setViewportSize({ width: 320, height: 800 })
    await page.setContent(htmlOf(slug, () => ({})))
    expect(await misfits(page)).toEqual([])
    await page.setContent(htmlOf(slug, (sample) => ({ ...sample, ...longNames })))
    expect(await misfits(page)).toEqual([])
  })
})
