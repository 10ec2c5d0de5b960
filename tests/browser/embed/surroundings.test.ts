import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, boxOf, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { setDefaultResponses, cors, pageWith } from '../../support/embed-site.ts'
import { sampleConfig } from '../../support/samples.ts'

const bench = embedBench()
beforeEach(() => setDefaultResponses(bench.embed.api))

describe('a page in quirks mode', () => {
  /** Colour and font of each table of the page, and of its parent. */
  const tables = (page: Page) =>
    page.evaluate(() => {
      const inspect = (element: Element) => {
        const { color, fontFamily, fontStyle, fontWeight } = getComputedStyle(element)
        return [color, fontFamily, fontStyle, fontWeight]
      }
      const found: { own: string[]; around: string[] }[] = []
      const visit = (root: Document | ShadowRoot) => {
        for (const element of root.querySelectorAll('*')) {
          if (element instanceof HTMLTableElement)
            found.push({ own: inspect(element), around: inspect(element.parentElement!) })
          if (element.shadowRoot) visit(element.shadowRoot)
        }
      }
      visit(document)
      return found
    })

  it.each(['light', 'dark'])('TRIAL-66 leaves the tables of a widget their colour and font, in %s', async (theme) => {
    const head = '<style>body { color: #c00; font: italic bold 30px/1 fantasy }</style>'
    const body = `<div data-sendwright="compose"></div><div data-sendwright="config-manager"></div>`
    const html = pageWith(bench.embed, body, { head, script: `data-theme="${theme}"` }).replace('<!doctype html>', '')
    bench.host.on('/', html)
    await using opened = await openPage(bench.browser)
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 2)
    expect(await page.evaluate(() => document.compatMode)).toBe('BackCompat')
    await page.getByLabel('Message body').fill('<table><tr><td>Seat</td></tr></table>')
    await page.getByRole('document', { name: 'Message' }).getByText('Seat').waitFor()
    await page.getByRole('table').filter({ hasText: 'studio@northwind.example' }).waitFor()
    const found = await tables(page)
    expect(found).toHaveLength(2)
    for (const { own, around } of found) expect(own).toEqual(around)
    expect(await axeViolations(page, { isRecoloured: true })).toEqual([])
  })
})

describe('a widget in a frame 3,000 px high', () => {
  /** The position of a dialog in the window, whose height is 800 px; its frame is as high as its content. */
  async function open(scrollTop: number) {
    const mailboxes = Array.from({ length: 40 }, (_, at) =>
      sampleConfig({ id: `config_${at}`, secret_key: `eh_${at}`, email_address: `room${at}@northwind.example` }),
    )
    bench.embed.api.on('listEmailConfigs', { json: mailboxes, headers: { 'X-Total-Count': '40', ...cors } })
    bench.host.on('/frame', pageWith(bench.embed, '<div data-sendwright="config-manager"></div>'))
    // Another origin, so that the frame cannot access its parent.
    const other = bench.host.url.replace('localhost', '127.0.0.1')
    bench.host.on(
      '/',
      `<!doctype html><title>Top</title><iframe src="${bench.host.url}/frame" style="border:0;width:100%;height:3000px"></iframe>`,
    )
    const opened = await openPage(bench.browser, { viewport: { width: 1000, height: 800 } })
    await opened.page.goto(other)
    const frame = opened.page.frameLocator('iframe')
    await frame.getByText('room39@northwind.example').waitFor()
    await opened.page.evaluate((top) => scrollTo(0, top), scrollTop)
    return { ...opened, frame, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
  }

  it.each([0, 900, 2200])(
    'TRIAL-67 opens a dialog in view, at the control that opened it, scrolled to %i',
    async (top) => {
      await using opened = await open(top)
      const { page, frame } = opened
      const buttons = frame.getByRole('button', { name: /^Delete/ })
      const boxes = await Promise.all((await buttons.all()).map((one) => one.boundingBox()))
      // The control nearest to the middle of the window.
      const at = boxes
        .map((box, index) => [Math.abs((box?.y ?? -9999) - 400), index] as const)
        .sort(([a], [b]) => a - b)[0]![1]
      await buttons.nth(at).click()
      const dialog = frame.getByRole('dialog')
      await dialog.waitFor()
      const box = await boxOf(dialog)
      const opener = boxes[at]!
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(top)
      expect(box.y).toBeGreaterThanOrEqual(0)
      expect(box.y + box.height).toBeLessThanOrEqual(800)
      expect(box.y).toBeLessThan(opener.y + opener.height)
      expect(box.y + box.height).toBeGreaterThan(opener.y)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
  )
})
