import { join } from 'node:path'
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { rollup } from 'rollup'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileLibrary } from '../../commands/build/library.ts'
import { typescript } from '../../commands/build/typescript.ts'
import type { Design } from '../../contract/design/design.ts'
import { escapeHtml, fillTemplate, parseTemplate } from '../../contract/mail/merge-variables.ts'
import { catalogue } from '../../library/catalogue.ts'
import type { LibraryTemplate } from '../../library/template.ts'
import { renderHtml } from '../../mail-design/render-html.ts'
import { connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { anyDesign } from '../support/design-samples.ts'

let browser: Browser
let own: OpenedPage
let library: LibraryTemplate[]

beforeAll(async () => {
  browser = await connectBrowser()
  own = await openPage(browser)
  library = await compileLibrary()
})
afterAll(async () => {
  await own[Symbol.asyncDispose]()
  await browser.close()
})

const differingMaxShare = 0.03
/** Differences of a channel up to this are those of smoothed edges. */
const channelTolerance = 16

async function shoot(page: Page, html: string, width: number): Promise<string> {
  await page.setViewportSize({ width, height: 800 })
  await page.setContent(html)
  return (await page.screenshot({ fullPage: true })).toString('base64')
}

/** Share of the pixels that differ between two screenshots of one width; a missing line differs. */
function differingShare(page: Page, pictures: [string, string]): Promise<number> {
  return page.evaluate(
    async ({ pictures, channelTolerance }) => {
      const read = async (base64: string) => {
        const image = new Image()
        image.src = `data:image/png;base64,${base64}`
        await image.decode()
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
        const context = canvas.getContext('2d')!
        context.drawImage(image, 0, 0)
        return context.getImageData(0, 0, image.width, image.height)
      }
      const [one, two] = await Promise.all([read(pictures[0]), read(pictures[1])])
      const length = Math.max(one.data.length, two.data.length)
      let count = 0
      for (let at = 0; at < length; at += 4) {
        const differs = [0, 1, 2].some(
          (channel) =>
            !(Math.abs((one.data[at + channel] ?? -99) - (two.data[at + channel] ?? -99)) <= channelTolerance),
        )
        if (differs) count += 1
      }
      return (4 * count) / length
    },
    { pictures, channelTolerance },
  )
}

describe.each(catalogue.map(({ slug }) => slug))('the design of the template %s', (slug) => {
  it('looks as the template did, on a phone and on a wide screen, in light and in dark', async () => {
    const { body, design, sample } = library.find(({ data }) => data.key === slug)!.data
    const { page } = own
    const fill = (template: string) => fillTemplate(parseTemplate(template), sample, escapeHtml)
    for (const [width, colorScheme] of [
      [320, 'light'],
      [600, 'light'],
      [600, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      const before = await shoot(page, fill(body), width)
      const after = await shoot(page, fill(renderHtml(design)), width)
      const share = await differingShare(page, [before, after])
      expect(share, `at ${width} px, ${colorScheme}`).toBeLessThanOrEqual(differingMaxShare)
    }
  })
})

it('the browser renders every design as the server does', async () => {
  const entry = join(import.meta.dirname, '../../mail-design/render-html.ts')
  const bundle = await rollup({ input: entry, plugins: [typescript()] })
  const { output } = await bundle.generate({ format: 'iife', name: 'mailDesign' })
  await bundle.close()
  const { page } = own
  await page.setContent('')
  await page.addScriptTag({ content: output[0].code })
  const designs: Design[] = [...library.map(({ data }) => data.design), ...fc.sample(anyDesign, 300)]
  const rendered = await page.evaluate((given) => {
    const { mailDesign } = globalThis as unknown as { mailDesign: { renderHtml: (design: unknown) => string } }
    return given.map((design) => mailDesign.renderHtml(design))
  }, designs)
  expect(rendered).toEqual(designs.map(renderHtml))
})
