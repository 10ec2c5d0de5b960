import type { Browser, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SandboxMessage } from '../../contract/mail/sandbox.ts'
import { axeViolations, openPage } from './browser.ts'

const widths = [320, 600, 1200]
const schemes = ['light', 'dark'] as const

/** What a reader looks for in a mail: the words of a heading, those of a button, and its one image. */
export interface Wanted {
  heading: string
  button: string
  imageAlt: string
}

/** Reads a mail in the sandbox and in a window without a frame, at three widths, light and dark. */
export async function expectReadable(
  browser: Browser,
  url: string,
  { to: [address = ''], html, subject }: SandboxMessage,
  wanted: Wanted,
): Promise<void> {
  await using opened = await openPage(browser, { viewport: { width: 1200, height: 900 } })
  const { page } = opened
  await page.goto(`${url}/sandbox`)
  await page.getByLabel('Recipient').fill(address)
  await expect.poll(() => page.getByRole('region', { name: 'Mails' }).getByRole('listitem').count()).toBe(1)
  await page.getByRole('button', { name: subject }).click()
  await page.frameLocator('.inbox-mail iframe').getByRole('heading', { name: wanted.heading }).waitFor()
  const frame = await (await page.waitForSelector('.inbox-mail iframe')).contentFrame()
  if (!frame) throw new Error('The sandbox shows no mail.')
  const reader = await page.context().newPage()
  await reader.setContent(html ?? '')
  const backgrounds = new Set<string>()
  for (const width of widths) {
    for (const one of [page, reader]) await one.setViewportSize({ width, height: 900 })
    for (const colorScheme of schemes) {
      const at = `${width} px, ${colorScheme}`
      for (const one of [page, reader]) await one.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectShown(frame, wanted, `in the sandbox at ${at}`)
      expect(await overflowOf(page), at).toBe(0)
      await expectShown(reader, wanted, `alone at ${at}`)
      backgrounds.add(`${colorScheme} ${await backgroundOf(reader)}`)
      // The words can be told from what is behind them.
      if (width === 600) expect(await axeViolations(reader, { isRecoloured: true }), at).toEqual([])
    }
  }
  // Each scheme has one background, whatever the width; the dark one is another than the light one.
  expect(backgrounds.size).toBe(2)
  expect(new Set([...backgrounds].map((one) => one.replace(/^\w+ /, ''))).size).toBe(2)
}

/** Nothing of the mail is beside the window: its image has loaded, its button and its heading are shown. */
async function expectShown(mail: Page | Frame, wanted: Wanted, at: string): Promise<void> {
  const look = () =>
    mail.evaluate(({ heading, button, imageAlt }) => {
      const { scrollWidth, clientWidth } = document.documentElement
      const isShown = (element: Element | undefined) => {
        if (element === undefined || getComputedStyle(element).visibility !== 'visible') return false
        const { width, height, left, right } = element.getBoundingClientRect()
        return width > 0 && height > 0 && left >= 0 && right <= clientWidth
      }
      const find = (selector: string, text: string) =>
        [...document.querySelectorAll(selector)].find((one) => one.textContent.replace(/\s+/g, ' ').trim() === text)
      const images = [...document.images]
      return {
        overflowPx: Math.max(0, scrollWidth - clientWidth),
        images: images.map((image) => [image.alt, image.naturalWidth > 0 && isShown(image)]),
        heading: isShown(find('h1, h2, h3', heading)),
        button: isShown(find('a', button)),
        imageAlt,
      }
    }, wanted)
  const { imageAlt } = wanted
  await expect
    .poll(look, { message: at })
    .toEqual({ overflowPx: 0, images: [[imageAlt, true]], heading: true, button: true, imageAlt })
}

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The colour behind the first heading. */
const backgroundOf = (page: Page) =>
  page.evaluate(() => {
    let element = document.querySelector('h1')?.parentElement
    while (element && getComputedStyle(element).backgroundColor === 'rgba(0, 0, 0, 0)') element = element.parentElement
    return element ? getComputedStyle(element).backgroundColor : ''
  })
