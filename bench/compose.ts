import { chromium, type Browser, type Page } from 'playwright-core'
import { build } from '../commands/build.ts'
import { startApi } from '../tests/support/api-server.ts'
import { startChromium } from '../tests/support/chromium.ts'
import { signedInResponses } from '../tests/support/sample-answers.ts'
import { serveDashboard } from '../tests/support/site.ts'
import { quantile, type Bench } from './report.ts'

const keystrokeCount = 30
const pasteCount = 10
const bodyChars = 100_000
const recipientsCount = 2000
/** The form of the messages: paragraphs, and the single-table layout of mail designers. */
const shapes: Readonly<Record<string, (rows: string) => string>> = {
  paragraphs: (rows) => rows,
  document: (rows) =>
    `<!doctype html><html><head><style>p { margin: 0 }</style></head><body><div><table width="100%"><tbody><tr><td>${rows}</td></tr></tbody></table></div></body></html>`,
}
const limits = { previewMs: 50, chipsMs: 200 }

/** The composer under load: from a keystroke in a long message to its painted preview, and a long pasted list. */
export const composeBench: Bench = {
  name: 'compose',
  title: 'Composer in Chromium: a 100 kB body, 2,000 pasted recipients',
  async run() {
    await build()
    const site = await startApi(signedInResponses(), await serveDashboard())
    const chromiumServer = await startChromium()
    const browser = await chromium.connect(chromiumServer.wsEndpoint())
    try {
      const typing = []
      for (const [shape, around] of Object.entries(shapes)) {
        const keystrokes = await measureTyping(browser, site.url, around)
        const previews = keystrokes.map(({ previewMs }) => previewMs)
        const blocked = keystrokes.map(({ handledMs }) => handledMs)
        const preview = { unit: 'ms', baseline: limits.previewMs, against: 'limit' }
        typing.push(
          { case: `${shape}: keystroke → preview, median`, value: quantile(previews, 0.5), ...preview },
          { case: `${shape}: keystroke → preview, p95`, value: quantile(previews, 0.95), ...preview },
          { case: `${shape}: keystroke → letter painted, median`, value: quantile(blocked, 0.5), ...preview },
          { case: `${shape}: keystroke → letter painted, p95`, value: quantile(blocked, 0.95), ...preview },
        )
      }
      const pastes = await measurePasting(browser, site.url)
      const chips = { baseline: limits.chipsMs, against: 'limit' }
      return [
        ...typing,
        { case: '2,000 pasted → chips, median', value: quantile(pastes, 0.5), unit: 'ms', ...chips },
        { case: '2,000 pasted → chips, worst', value: Math.max(...pastes), unit: 'ms', ...chips },
      ]
    } finally {
      await browser.close()
      await chromiumServer.close()
      await site.close()
    }
  },
}

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(() => localStorage.setItem('access_token', 'at_1'))
  await page.goto(`${url}/dashboard/send_email`)
  await page.getByLabel('Message body').waitFor()
  return page
}

interface Keystroke {
  /** Until the letter is painted in the box. */
  handledMs: number
  /** Until the preview has painted it. */
  previewMs: number
}

async function measureTyping(browser: Browser, url: string, around: (rows: string) => string): Promise<Keystroke[]> {
  const page = await open(browser, url)
  const row =
    '<p style="color: #333">Dear {{first_name}}, a <b>line</b> of a <a href="https://a.example/">mail</a>.</p>\n'
  const text = around(row.repeat(Math.ceil(bodyChars / row.length)) + '<p>end</p>')
  await page.getByLabel('Message body').fill(text)
  await page.getByRole('document', { name: 'Message' }).getByText('end').waitFor()
  await page
    .getByLabel('Message body')
    .evaluate((area: HTMLTextAreaElement, at) => area.setSelectionRange(at, at), text.indexOf('Dear'))
  await page.getByLabel('Message body').evaluate((area: HTMLTextAreaElement) => {
    const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then))
    const seen: Keystroke[] = []
    Object.assign(window, { seen })
    const mail = area.getRootNode() as ShadowRoot
    let startedMs = 0
    let handledMs = 0
    area.addEventListener(
      'keydown',
      (event) => {
        startedMs = event.timeStamp
        painted(() => (handledMs = performance.now() - startedMs))
      },
      { capture: true },
    )
    const place = mail.querySelector('.mail')
    if (place === null) throw new Error('There is no preview.')
    new MutationObserver(() => {
      painted(() => seen.push({ handledMs, previewMs: performance.now() - startedMs }))
    }).observe(place, { childList: true, subtree: true })
  })
  for (let at = 1; at <= keystrokeCount; at++) {
    await page.keyboard.press('x')
    await page.waitForFunction((count) => (window as unknown as { seen: Keystroke[] }).seen.length >= count, at)
  }
  const seen = await page.evaluate(() => (window as unknown as { seen: Keystroke[] }).seen)
  await page.context().close()
  return seen.slice(2) // The first ones run before the JIT has compiled the code.
}

async function measurePasting(browser: Browser, url: string): Promise<number[]> {
  const page = await open(browser, url)
  const list = Array.from({ length: recipientsCount }, (_, at) => `Visitor ${at} <visitor-${at}@example.org>`).join(
    '\n',
  )
  const box = page.getByLabel('Recipients', { exact: true })
  const times: number[] = []
  for (let run = 0; run < pasteCount; run++) {
    times.push(
      await box.evaluate((input, text) => {
        const data = new DataTransfer()
        data.setData('text', text)
        const root = input.getRootNode() as ShadowRoot
        return new Promise<number>((resolve) => {
          const startedMs = performance.now()
          const inspect = () => {
            if (root.querySelectorAll('.chip').length < 5) requestAnimationFrame(inspect)
            else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedMs)))
          }
          const paste = { clipboardData: data, bubbles: true, cancelable: true, composed: true }
          input.dispatchEvent(new ClipboardEvent('paste', paste))
          inspect()
        })
      }, list),
    )
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByRole('button', { name: 'Remove all' }).waitFor({ state: 'detached' })
  }
  await page.context().close()
  return times
}
