import { chromium, type Browser } from 'playwright-core'
import { build } from '../commands/build.ts'
import type { Block, Design } from '../contract/design/design.ts'
import { renderHtml } from '../mail-design/render-html.ts'
import { renderText } from '../mail-design/render-text.ts'
import { createImageRenderer } from '../server/images/image-renderer.ts'
import { startApi } from '../tests/support/api-server.ts'
import { startChromium } from '../tests/support/chromium.ts'
import { bodyOf, sampleDesign, sampleRow } from '../tests/support/design-samples.ts'
import { grainyPhoto, photo } from '../tests/support/image-files.ts'
import { signedInResponses } from '../tests/support/sample-answers.ts'
import { sampleTemplate } from '../tests/support/samples.ts'
import { serveDashboard } from '../tests/support/site.ts'
import { openEditors } from './composer/first-edit.ts'
import { quantile, type Bench, type Figure } from './report.ts'

const renderCount = 300
const photoCount = 7
const keystrokeCount = 60
const limits = { renderMs: 10, photoMs: 500, keyMs: 32, frameMs: 50, firstEditMs: 300 }

/** The editors of a message: rendering a design, preparing a photo, opening, typing in a large design. Runs only if named. */
export const composerBench: Bench = {
  name: 'composer',
  title:
    'Writing: a design of 50 blocks in Node, a photo of 12 megapixels, the first edit and a design of 500 blocks in Chromium',
  isLong: true,
  async run() {
    const renders = measureRendering()
    const photos = await measurePhotos(await photo(4000, 3000))
    const grainy = await measurePhotos(await grainyPhoto(4000, 3000))
    return [
      { case: '50 blocks → HTML and text, median', value: quantile(renders, 0.5), ...limit(limits.renderMs) },
      { case: '50 blocks → HTML and text, p99', value: quantile(renders, 0.99), ...limit(limits.renderMs) },
      { case: '12 megapixels → all widths, median', value: quantile(photos, 0.5), ...limit(limits.photoMs) },
      { case: '12 megapixels → all widths, worst', value: Math.max(...photos), ...limit(limits.photoMs) },
      { case: '12 megapixels with grain → all widths, median', value: quantile(grainy, 0.5), ...limit(limits.photoMs) },
      { case: '12 megapixels with grain → all widths, worst', value: Math.max(...grainy), ...limit(limits.photoMs) },
      ...(await measureEditors()),
    ]
  },
}

const limit = (ms: number) => ({ unit: 'ms', baseline: ms, against: 'limit' })

/** A newsletter's mixture of blocks. */
function designOf(blocksCount: number): Design {
  const blocks: Block[] = Array.from({ length: blocksCount }, (_, at): Block => {
    const id = `b${at}`
    if (at % 5 === 1) return { id, type: 'heading', level: 2, content: [{ text: `Number ${at} for ` }, variable] }
    if (at % 5 === 2) return { id, type: 'button', label: 'Keep my places', href: `https://example.com/places/${at}` }
    if (at % 5 === 3) return { id, type: 'spacer', height: 20 }
    return { id, type: 'text', content: [{ type: 'paragraph', content: [{ text: sentence.repeat(3) }, variable] }] }
  })
  return sampleDesign(blocks.map((block) => sampleRow([block])))
}
const variable = { variable: 'first_name', fallback: 'friend' }
const sentence = 'The new galleries open at six, and the talk begins at seven. '

function measureRendering(): number[] {
  const design = designOf(50)
  const times: number[] = []
  for (let at = 0; at < renderCount; at++) {
    const startedAt = performance.now()
    renderHtml(design)
    renderText(design)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** As an upload does it: a process of its own for each. */
async function measurePhotos(file: Buffer): Promise<number[]> {
  const renderer = createImageRenderer()
  const times: number[] = []
  try {
    for (let at = 0; at < photoCount; at++) {
      const startedAt = performance.now()
      await renderer.renderImage(file)
      times.push(performance.now() - startedAt)
    }
  } finally {
    renderer.close()
  }
  return times
}

interface Typing {
  /** From a key to the painted letter. */
  keysMs: number[]
  /** The longest task while typing. */
  frameMs: number
}

/** In the built dashboard, with a stand-in for its server. */
async function measureEditors(): Promise<Omit<Figure, 'bench'>[]> {
  await build()
  const site = await startApi(signedInResponses(), await serveDashboard())
  const chromiumServer = await startChromium()
  const browser = await chromium.connect(chromiumServer.wsEndpoint())
  try {
    const openings = await openEditors(browser, site)
    const figures = Object.entries(openings).flatMap(([name, times]) => [
      { case: `${name}, median`, value: quantile(times, 0.5), ...limit(limits.firstEditMs) },
      { case: `${name}, worst`, value: Math.max(...times), ...limit(limits.firstEditMs) },
    ])
    const design = designOf(500)
    const template = sampleTemplate({ id: 't1', name: 'Autumn', mode: 'design', design, body: bodyOf(design) })
    site.on('getEmailTemplates', { json: [template], headers: { 'X-Total-Count': '1' } })
    site.on('getEmailTemplate', { json: template })
    const { keysMs, frameMs } = await typeIn(browser, site.url)
    return [
      ...figures,
      { case: '500 blocks: key → letter painted, median', value: quantile(keysMs, 0.5), ...limit(limits.keyMs) },
      { case: '500 blocks: key → letter painted, p95', value: quantile(keysMs, 0.95), ...limit(limits.keyMs) },
      { case: '500 blocks: longest task while typing', value: frameMs, ...limit(limits.frameMs) },
    ]
  } finally {
    await browser.close()
    await chromiumServer.close()
    await site.close()
  }
}

/** Types into a text block in the middle of the design. */
async function typeIn(browser: Browser, url: string): Promise<Typing> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })).newPage()
  await page.addInitScript(() => localStorage.setItem('access_token', 'at_1'))
  await page.goto(`${url}/dashboard/templates`)
  await page.getByRole('button', { name: 'Edit Autumn' }).click()
  const canvas = page.getByRole('group', { name: 'Mail', exact: true })
  const block = canvas.getByRole('group', { name: /^Text: / }).nth(100)
  await block.scrollIntoViewIfNeeded()
  await block.dblclick()
  await page.evaluate(() => {
    const keys: number[] = []
    const tasks: number[] = []
    Object.assign(window, { keys, tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
    window.addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - timeStamp))),
      { capture: true },
    )
  })
  for (let at = 1; at <= keystrokeCount; at++) {
    await page.keyboard.press('x')
    await page.waitForFunction((count) => (window as unknown as { keys: number[] }).keys.length >= count, at)
  }
  const { keys, tasks } = await page.evaluate(() => {
    const { keys, tasks } = window as unknown as { keys: number[]; tasks: number[] }
    return { keys, tasks }
  })
  await page.context().close()
  // The first ones run before the JIT has compiled the code.
  return { keysMs: keys.slice(5), frameMs: Math.max(0, ...tasks) }
}
