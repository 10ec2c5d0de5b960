import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiServer } from '../support/api-server.ts'
import { connectBrowser } from '../support/browser.ts'
import { openDashboard, startDashboard } from '../support/dashboard-page.ts'

let browser: Browser
let site: ApiServer
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const open = () =>
  openDashboard(browser, site, {
    path: '/dashboard/email_config',
    token: 'at_1',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
const toast = (page: Page) => page.getByRole('status').filter({ hasText: 'Copied to clipboard' })
async function show(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Copy key of/ }).click()
  await toast(page).waitFor()
  await page.locator('.Toastify__toast:not(.Toastify--animate)').waitFor() // It has slid in.
  await page.mouse.move(300, 700)
}
/** How far the toast's own clock has come, by the animation that it closes by. */
const playState = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('.Toastify__progress-bar')
    return bar === null ? null : getComputedStyle(bar).animationPlayState
  })

describe('a toast of the dashboard', () => {
  it('TOASTS-01 TOASTS-02 ERRORS-20 stands top-right', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ck_4f9a7c1e5b2d8f60')
    const box = (await page.locator('.Toastify__toast').boundingBox())!
    expect(box.x + box.width).toBeGreaterThan(1280 - 40)
    expect(box.y).toBeLessThan(120)
  })

  it('keeps its words clear of the button that closes it', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: /^Pause/ }).click()
    await page.getByText(/is paused; what waits is kept/).waitFor()
    const [wordsRight, closeLeft] = await page.locator('.Toastify__toast').evaluate((toast) => {
      const walker = document.createTreeWalker(toast, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      let right = 0
      while (walker.nextNode() !== null) {
        range.selectNodeContents(walker.currentNode)
        for (const rect of range.getClientRects()) right = Math.max(right, rect.right)
      }
      return [right, toast.querySelector('.Toastify__close-button')?.getBoundingClientRect().left]
    })
    expect(wordsRight).toBeGreaterThan(0)
    expect(wordsRight).toBeLessThanOrEqual(closeLeft ?? 0)
  })

  it('TOASTS-03 closes after 5000 ms', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    const durations = await page
      .locator('.Toastify__progress-bar--animated')
      .evaluate((bar) => bar.getAnimations().map((animation) => animation.effect?.getTiming().duration))
    expect(durations).toEqual([5000])
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await page.locator('.Toastify__toast').waitFor({ state: 'detached' })
  })

  it('TOASTS-04 pauses on hover', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    await expect.poll(() => playState(page)).toBe('running')
    await page.locator('.Toastify__toast').hover()
    await expect.poll(() => playState(page)).toBe('paused')
    await page.mouse.move(300, 700)
    await expect.poll(() => playState(page)).toBe('running')
  })

  it('TOASTS-05 pauses on focus loss', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await expect.poll(() => playState(page)).toBe('paused')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect.poll(() => playState(page)).toBe('running')
  })

  it('TOASTS-06 is dragged away', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    // Its own clock stands still from here on: only the drag can take it away.
    await page.locator('.Toastify__progress-bar').evaluate((bar) => {
      for (const animation of bar.getAnimations()) animation.pause()
    })
    const box = (await page.locator('.Toastify__toast').boundingBox())!
    await page.mouse.move(box.x + 200, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x - 160, box.y + 20, { steps: 12 })
    await page.mouse.up()
    await page.locator('.Toastify__toast').waitFor({ state: 'detached' })
  })
})
