import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { build } from '../../commands/build.ts'
import { escapeHtml, fillTemplate, parseTemplate } from '../../contract/mail/merge-variables.ts'
import type { LibraryTemplate } from '../../library/template.ts'
import { captureWebp, startChromium } from '../support/chromium.ts'

// `node tests/gallery/library-pictures.ts`: draws the contact sheet of the library, docs/pictures/library.webp.
// With a folder as its parameter: writes a sheet for each template into that folder, in every width, light and dark, and
// without values, for a visual check after a change.

const root = join(import.meta.dirname, '../..')

type Scheme = 'light' | 'dark'

interface Shot {
  width: number
  scheme: Scheme
  /** Whether the variables have their sample values, or none. */
  isFilled: boolean
  /** The visible height of the mail, from its top; all of it if null. */
  maxHeight: number | null
}

/** The product's fonts replace those of a mail client, which the test's Chromium does not have. */
const standIns = [
  ['Helvetica Neue', 'instrument-sans', 'latin-wght-normal'],
  ['Georgia', 'newsreader', 'latin-wght-normal'],
  ['Georgia', 'newsreader', 'latin-wght-italic'],
  ['Menlo', 'jetbrains-mono', 'latin-wght-normal'],
] as const

const folder = process.argv[2]
const fonts = (await Promise.all(standIns.map(fontFace))).join('')
await build()
const library = JSON.parse(await readFile(join(root, 'dist/library/index.json'), 'utf8')) as LibraryTemplate[]
const server = await startChromium()
try {
  const browser = await chromium.connect(server.wsEndpoint())
  // One page for all of them: the headless shell occasionally fails at the first screenshot of a page.
  const page = await browser.newPage()
  if (folder === undefined) await drawContactSheet(page)
  else await drawEachTemplate(page, folder)
} finally {
  await server.close()
}

async function drawContactSheet(page: Page): Promise<void> {
  const cards: string[] = []
  for (const [at, template] of library.entries()) {
    // Some of them dark, as for readers in dark mode.
    const scheme = at % 4 === 3 ? 'dark' : 'light'
    const picture = await shoot(page, template, { width: 600, scheme, isFilled: true, maxHeight: 780 })
    cards.push(`<figure><img src="${picture}" width="200"><figcaption>${template.data.name}</figcaption></figure>`)
  }
  const style = `body { margin: 0; padding: 24px; background: #f4f2ec; font: 15px 'Helvetica Neue'; color: #1d1d1b }
main { display: grid; grid-template-columns: repeat(6, 200px); gap: 24px 20px } figure { margin: 0 }
img { display: block; box-shadow: 0 1px 4px #0004 } figcaption { padding-top: 8px }`
  await paint(page, `<style>${style}</style><main>${cards.join('')}</main>`, 1348, 'docs/pictures/library.webp')
}

async function drawEachTemplate(page: Page, into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  for (const template of library) {
    const pictures: string[] = []
    for (const width of [700, 390, 320]) {
      for (const scheme of ['light', 'dark'] as const)
        pictures.push(await shoot(page, template, { width, scheme, isFilled: true, maxHeight: null }))
    }
    pictures.push(await shoot(page, template, { width: 390, scheme: 'light', isFilled: false, maxHeight: null }))
    const images = pictures.map((picture) => `<img src="${picture}">`).join('')
    const style = 'body { margin: 8px; background: #777; display: flex; gap: 12px; align-items: flex-start }'
    await paint(page, `<style>${style}</style>${images}`, 3306, join(into, `${template.data.key}.png`))
  }
}

/** A screenshot of a mail, as a data URL. */
async function shoot(page: Page, { data }: LibraryTemplate, shot: Shot): Promise<string> {
  const { width, scheme, isFilled, maxHeight } = shot
  await page.setViewportSize({ width, height: maxHeight ?? 800 })
  await page.emulateMedia({ colorScheme: scheme })
  await show(page, fillTemplate(parseTemplate(data.body), isFilled ? data.sample : {}, escapeHtml))
  const bytes = await page.screenshot({ fullPage: maxHeight === null })
  return `data:image/png;base64,${bytes.toString('base64')}`
}

async function paint(page: Page, html: string, width: number, path: string): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await show(page, html)
  if (path.endsWith('.webp')) await writeFile(path, await captureWholeWebp(page, width))
  else await page.screenshot({ fullPage: true, path })
}

async function captureWholeWebp(page: Page, width: number): Promise<Buffer> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  return captureWebp(page, { x: 0, y: 0, width, height, scale: 1 })
}

async function show(page: Page, html: string): Promise<void> {
  await page.setContent(html)
  await page.addStyleTag({ content: fonts })
  await page.evaluate(() => document.fonts.ready)
}

async function fontFace([family, name, file]: (typeof standIns)[number]): Promise<string> {
  const path = createRequire(import.meta.url).resolve(`@fontsource-variable/${name}/files/${name}-${file}.woff2`)
  const url = `data:font/woff2;base64,${(await readFile(path)).toString('base64')}`
  const style = file.endsWith('italic') ? 'italic' : 'normal'
  return `@font-face { font-family: '${family}'; font-weight: 400 700; font-style: ${style}; src: url(${url}) }`
}
