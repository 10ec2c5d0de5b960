import { chromium, type Page } from 'playwright-core'
import { build } from '../commands/build.ts'
import type { Template } from '../contract/mail/template.ts'
import { startDashboard } from '../tests/support/dashboard-page.ts'
import { sampleTemplate } from '../tests/support/samples.ts'
import { startChromium } from '../tests/support/chromium.ts'
import { pageOf } from '../tests/support/template-pages.ts'
import { setTemplateResponses } from '../tests/support/template-screens.ts'
import { quantile, type Bench } from './report.ts'

const templateCount = 5000
const bodyBytes = 100_000
const limitMs = 50
/** The queries are typed letter by letter, and deleted again. */
const queries = ['letter 4711', 'autumn show', 'zzz nowhere', 'x']

/** The template screens in a real browser, with a stand-in for the server: from a key press to the rendered result. */
export const templatesBench: Bench = {
  name: 'templates',
  title: `Template screens: ${templateCount} templates, a body of ${bodyBytes / 1000} kB`,
  async run() {
    await build()
    const site = await startDashboard()
    const chromiumServer = await startChromium()
    const browser = await chromium.connect(chromiumServer.wsEndpoint())
    try {
      setTemplateResponses(site)
      const many = Array.from({ length: templateCount }, (_, at) => template(at))
      site.on('getEmailTemplates', ({ query }) => pageOf(many, query))
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
      await context.addInitScript(() => localStorage.setItem('access_token', 'at_1'))
      const page = await context.newPage()
      const searchMs = await searching(page, site.url)
      const previewMs = await designing(page, site.url)
      const limit = { baseline: limitMs, against: 'limit' }
      return [
        { case: 'search: keystroke to painted, median', value: quantile(searchMs, 0.5), unit: 'ms', ...limit },
        { case: 'search: keystroke to painted, worst', value: Math.max(...searchMs), unit: 'ms', ...limit },
        {
          case: 'designer: keystroke to preview painted, median',
          value: quantile(previewMs, 0.5),
          unit: 'ms',
          ...limit,
        },
        {
          case: 'designer: keystroke to preview painted, 95 %',
          value: quantile(previewMs, 0.95),
          unit: 'ms',
          ...limit,
        },
      ]
    } finally {
      await browser.close()
      await chromiumServer.close()
      await site.close()
    }
  },
}

async function searching(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/dashboard/templates`)
  await page.getByText(templateCount.toLocaleString('en-GB')).waitFor()
  await page.getByLabel('Search templates').focus()
  await follow(page, 'the rows')
  for (const query of queries) {
    for (const letter of query) await press(page, letter)
    for (const _letter of query) await press(page, 'Backspace')
  }
  return read(page)
}

async function designing(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/dashboard/create`)
  const paragraph = '<p style="color: #333; margin: 0 0 12px">Dear {{first_name}}, the doors open at six.</p>\n'
  await page.getByLabel('HTML body').fill(paragraph.repeat(Math.ceil(bodyBytes / paragraph.length)))
  await page.getByTitle('Preview of the template').contentFrame().getByText('the doors').first().waitFor()
  await page.getByLabel('HTML body').focus()
  await follow(page, 'the preview')
  for (let at = 0; at < 30; at++) await press(page, 'x')
  return read(page)
}

/** From now on, each key's time until the first frame after its change. */
async function follow(page: Page, what: 'the rows' | 'the preview'): Promise<void> {
  await page.evaluate((where) => {
    const times: number[] = []
    let pressedAt: number | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const painted = () => {
      const from = pressedAt
      if (from === null) return
      pressedAt = null
      clearTimeout(timer)
      requestAnimationFrame(() => {
        // A message event follows the frame.
        const channel = new MessageChannel()
        channel.port1.onmessage = () => {
          times.push(performance.now() - from)
          document.title = `pressed ${times.length}`
        }
        channel.port2.postMessage(null)
      })
    }
    document.addEventListener(
      'keydown',
      (event) => {
        pressedAt = event.timeStamp
        // A key without a visible change is painted with the next frame.
        if (where === 'the rows') timer = setTimeout(painted, 0)
      },
      true,
    )
    const drawn = new MutationObserver(painted)
    const options = { childList: true, subtree: true, characterData: true }
    const place =
      where === 'the rows' ? document.querySelector('section') : document.querySelector('iframe')?.contentDocument
    if (place) drawn.observe(place, options)
    Object.assign(window, { times })
  }, what)
}

async function press(page: Page, key: string): Promise<void> {
  const before = await page.evaluate(() => (window as unknown as { times: number[] }).times.length)
  await page.keyboard.press(key)
  await page.waitForFunction((count) => (window as unknown as { times: number[] }).times.length > count, before)
}

const read = (page: Page) => page.evaluate(() => (window as unknown as { times: number[] }).times)

/** A letter of about 5 kB. */
function template(at: number): Template {
  const words = ['autumn', 'show', 'doors', 'invoice', 'sum', 'garden', 'studio', 'thursday']
  const paragraph = (line: number) =>
    `<p style="color: #333; margin: 0 0 12px">${Array.from({ length: 20 }, (_, word) => words[(at * 7 + line * 3 + word * (at % 5)) % 8]).join(' ')}</p>`
  return sampleTemplate({
    id: `tpl_${at}`,
    key: `letter-${at}`,
    subject: `Letter ${at} about the ${words[at % 8] ?? ''}`,
    body: Array.from({ length: 28 }, (_, line) => paragraph(line)).join('\n'),
    context: [`tag_${at % 40}`],
  })
}
