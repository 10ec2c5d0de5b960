import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../support/api-server.ts'
import { axeViolations, connectBrowser, openPage, viewports } from '../support/browser.ts'
import { serveGallery } from '../support/site.ts'

let browser: Browser
let site: ApiServer
beforeAll(async () => {
  site = await startApi({}, serveGallery())
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

async function openGallery(options: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(browser, options)
  await opened.page.goto(site.url)
  await opened.page.getByRole('button', { name: 'Open dialog' }).waitFor()
  return opened
}

describe('every component of the kit', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(viewports)) {
      it(`has no axe violation, ${colorScheme}, ${size}`, async () => {
        await using opened = await openGallery({ colorScheme, viewport })
        const { page } = opened
        expect(await axeViolations(page)).toEqual([])
        await page.getByRole('button', { name: 'Open dialog' }).click()
        await page.getByRole('button', { name: 'Show toast' }).dispatchEvent('click')
        await page.getByText('A toast').waitFor()
        expect(await axeViolations(page)).toEqual([])
      })
    }
  }

  it('looks the same in a page that unsets every style, under a policy that forbids inline styles', async () => {
    await using opened = await openGallery()
    const { page } = opened
    const inspect = await page
      .getByRole('button', { name: 'Launch Message' })
      .first()
      .evaluate((button) => {
        const { backgroundColor, borderRadius, fontSize, fontFamily } = getComputedStyle(button)
        return { backgroundColor, borderRadius, fontSize, fontFamily }
      })
    expect(inspect).toEqual({
      backgroundColor: 'rgb(15, 107, 79)',
      borderRadius: '8px',
      fontSize: '14px',
      fontFamily: expect.any(String) as string,
    })
  })
})

describe('a dialog', () => {
  const openDialog = async (page: Page) => {
    await page.getByRole('button', { name: 'Open dialog' }).click()
    await page.getByRole('dialog', { name: 'Delete Confirmation' }).waitFor()
  }
  const focused = (page: Page) =>
    page.evaluate(() => {
      let element = document.activeElement
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
      return element?.textContent ?? ''
    })

  it('focuses its first button, traps the focus, and restores it after Esc', async () => {
    await using opened = await openGallery()
    const { page } = opened
    await openDialog(page)
    await expect.poll(() => focused(page)).toBe('Cancel')
    const reached: string[] = []
    for (let at = 0; at < 4; at += 1) {
      await page.keyboard.press('Tab')
      reached.push(await focused(page))
    }
    expect(reached).not.toContain('Open dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Open dialog')
  })

  it('TOASTS-09 closes with an animation of 200 ms', async () => {
    await using opened = await openGallery()
    const { page } = opened
    await openDialog(page)
    await stopClock(page)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.clock.runFor(190)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    await page.clock.runFor(30) // The animation began in the frame after the press.
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('closes on a click outside, not on one inside', async () => {
    await using opened = await openGallery()
    const { page } = opened
    await openDialog(page)
    await page.getByRole('heading', { name: 'Delete Confirmation' }).click()
    await page.getByRole('dialog').waitFor()
    await page.mouse.click(5, 5)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

it('TOASTS-07 a copied state resets after 2000 ms', async () => {
  await using opened = await openGallery({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = opened
  await stopClock(page)
  await page.getByRole('button', { name: 'Copy secret key' }).click()
  await page.getByRole('button', { name: 'Copied secret key' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('copied text')
  await page.clock.runFor(1900)
  await expect.poll(() => page.getByRole('button', { name: 'Copied secret key' }).count()).toBe(1)
  await page.clock.runFor(200)
  await page.getByRole('button', { name: 'Copy secret key' }).waitFor()
})

it('a segmented control responds to arrow keys', async () => {
  await using opened = await openGallery()
  const { page } = opened
  await page.getByRole('radio', { name: 'Desktop' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('phone', { exact: true }).waitFor()
})

it('a table becomes cards on a small screen, and keeps its roles', async () => {
  await using opened = await openGallery({ viewport: viewports.phone })
  const { page } = opened
  const row = page.getByRole('row').nth(1)
  await expect.poll(() => row.evaluate((element) => getComputedStyle(element).display)).toBe('block')
  await expect.poll(() => row.getByRole('cell').count()).toBe(3)
})

/** From here on a test controls the clock of the page. */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 60_000)
}
