import type { Browser, Page } from 'playwright-core'
import type { ApiServer } from '../../tests/support/api-server.ts'
import { bodyOf, sampleDesign, sampleRow, textBlock } from '../../tests/support/design-samples.ts'

const openingCount = 7

/** From the press that opens the editor of a mode until the first typed letter is painted; in Design mode, the blocks too. */
export async function openEditors(browser: Browser, site: ApiServer): Promise<Record<string, number[]>> {
  const text: number[] = []
  const editor: number[] = []
  const blocks: number[] = []
  const letter: number[] = []
  for (let at = 0; at < openingCount; at++) {
    const inText = await firstEditInText(browser, site)
    text.push(inText.shown)
    editor.push(inText.inEditor)
    const inDesign = await firstEditInDesign(browser, site)
    blocks.push(inDesign.blocks)
    letter.push(inDesign.letter)
  }
  return {
    'Text mode: press → first letter shown': text,
    'Text mode: press → first letter in its editor': editor,
    'Design mode: press → its blocks shown': blocks,
    'Design mode: press → first letter in a block': letter,
  }
}

/** A browser without a cache, in the composer with a draft. */
async function openComposer(browser: Browser, site: ApiServer, path: string, content: object | null): Promise<Page> {
  const answer = { content, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] }
  site.on('getDraft', content === null ? { status: 204 } : { json: answer })
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })).newPage()
  await page.addInitScript(() => localStorage.setItem('access_token', 'at_1'))
  await page.goto(site.url + path)
  await page.getByRole('radio', { name: 'Design' }).waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

/** Text mode begins as a text box, which takes what is typed until the editor replaces it. */
async function firstEditInText(browser: Browser, site: ApiServer): Promise<{ shown: number; inEditor: number }> {
  // The editor is not yet there: it loads by itself a second after Text mode was chosen.
  const page = await openComposer(browser, site, '/dashboard/send_email?mode=html', null)
  await page.getByRole('radio', { name: 'Text', exact: true }).click()
  await page.locator('.body.letter textarea').waitFor()
  await followPress(page, [
    ['.body.letter', 'z'],
    ['.rich-text', 'z'],
  ])
  await page.getByRole('textbox', { name: 'Message body' }).click()
  await page.keyboard.press('z')
  const [shown = NaN, inEditor = NaN] = await readPress(page, 2)
  await page.context().close()
  return { shown, inEditor }
}

/** A double click into the first block, as soon as it is there, begins to edit its words. */
async function firstEditInDesign(browser: Browser, site: ApiServer): Promise<{ blocks: number; letter: number }> {
  const design = sampleDesign([sampleRow([textBlock('b', 'Doors open')])], { layout: 'letter' })
  const page = await openComposer(browser, site, '/dashboard/send_email', {
    ...{ mailboxId: '', subject: 'News', context: {}, recipients: [] },
    ...{ mode: 'text', design, messageBody: bodyOf(design) },
  })
  await page.locator('.rich-text').waitFor()
  await followPress(page, [
    ['.canvas', 'Doors'],
    ['.canvas', 'z'],
  ])
  await page.getByRole('radio', { name: 'Design' }).click()
  await page.getByRole('group', { name: 'Text: Doors open' }).dblclick()
  await page.keyboard.press('z')
  const [blocks = NaN, letter = NaN] = await readPress(page, 2)
  await page.context().close()
  return { blocks, letter }
}

/** From the next press on, the time until these words are painted in these places. */
async function followPress(page: Page, places: readonly (readonly [string, string])[]): Promise<void> {
  await page.evaluate((places) => {
    const shownAt: (number | null)[] = places.map(() => null)
    Object.assign(window, { shownAt })
    // The composer is in a shadow root.
    const find = (root: Document | ShadowRoot, selector: string): Element | null =>
      root.querySelector(selector) ??
      [...root.querySelectorAll('*')].reduce<Element | null>(
        (found, { shadowRoot }) => found ?? (shadowRoot && find(shadowRoot, selector)),
        null,
      )
    const textOf = (place: string) => {
      const element = find(document, place)
      const box = element?.querySelector('textarea')
      return (box?.value ?? '') + (element?.textContent ?? '') + (element?.shadowRoot?.textContent ?? '')
    }
    const follow = ({ timeStamp }: PointerEvent) => {
      const frame = () => {
        for (const [at, [place, words]] of places.entries()) {
          if (shownAt[at] !== null || !textOf(place).includes(words)) continue
          // A message follows the frame.
          const channel = new MessageChannel()
          channel.port1.onmessage = () => (shownAt[at] ??= performance.now() - timeStamp)
          channel.port2.postMessage(null)
        }
        if (shownAt.includes(null)) requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    }
    window.addEventListener('pointerdown', follow, { capture: true, once: true })
  }, places)
}

async function readPress(page: Page, count: number): Promise<number[]> {
  const read = () => page.evaluate(() => (window as unknown as { shownAt: (number | null)[] }).shownAt)
  await page.waitForFunction(
    (count) =>
      (window as unknown as { shownAt: (number | null)[] }).shownAt.filter((at) => at !== null).length === count,
    count,
  )
  return (await read()).map((at) => at ?? NaN)
}
