import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { boxOf } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'

const { browser, site } = await useDashboard()

const open = () =>
  openDashboard(browser, site, {
    path: '/dashboard/email_config',
    token: 'at_1',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
const toast = (page: Page) => page.locator('.toast')
/** Shows a toast; the page's timers advance only by `runFor` from here on. */
async function show(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.getByRole('button', { name: /^Copy key of/ }).click()
  await toast(page).filter({ hasText: 'Copied to clipboard' }).waitFor()
  await toast(page).evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  await page.mouse.move(300, 700)
}

describe('a toast of the dashboard', () => {
  it('TOASTS-01 TOASTS-02 ERRORS-20 is shown top-right', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ck_4f9a7c1e5b2d8f60')
    const box = await boxOf(toast(page))
    expect(box.x + box.width).toBeGreaterThan(1280 - 40)
    expect(box.y).toBeLessThan(120)
  })

  it('does not overlap its text with the close button', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: /^Pause/ }).click()
    await page.getByText(/is paused; queued mail is kept/).waitFor()
    const [textRight, closeLeft] = await toast(page).evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element.querySelector('span')!)
      const right = Math.max(...[...range.getClientRects()].map((rect) => rect.right))
      return [right, element.querySelector('button')?.getBoundingClientRect().left]
    })
    expect(textRight).toBeGreaterThan(0)
    expect(textRight).toBeLessThanOrEqual(closeLeft ?? 0)
  })

  it('TOASTS-03 closes after 5000 ms', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    await page.clock.runFor(4999)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.clock.runFor(1)
    await toast(page).waitFor({ state: 'detached' })
  })

  it('TOASTS-04 pauses on hover', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    await page.clock.runFor(2000)
    await toast(page).hover()
    await page.clock.runFor(60_000)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.mouse.move(300, 700)
    await page.clock.runFor(2999)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.clock.runFor(1)
    await toast(page).waitFor({ state: 'detached' })
  })

  it('TOASTS-05 pauses on focus loss', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await page.clock.runFor(60_000)
    await expect.poll(() => toast(page).count()).toBe(1)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.clock.runFor(5000)
    await toast(page).waitFor({ state: 'detached' })
  })

  it('TOASTS-06 is dismissed by a drag; a short drag leaves it', async () => {
    await using opened = await open()
    const { page } = opened
    await show(page)
    const before = await boxOf(toast(page))
    const drag = async (distance: number) => {
      await page.mouse.move(before.x + 100, before.y + 20)
      await page.mouse.down()
      await page.mouse.move(before.x + 100 + distance, before.y + 20, { steps: 12 })
      await page.mouse.up()
    }
    await drag(-40)
    await expect.poll(() => toast(page).boundingBox()).toEqual(before)
    await drag(-300)
    await toast(page).waitFor({ state: 'detached' })
  })
})
