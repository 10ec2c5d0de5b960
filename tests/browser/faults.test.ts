import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

/** A response that violates the contract, which no page can render. */
const undrawable = { text: '[null]', headers: { 'Content-Type': 'application/json', 'X-Total-Count': '1' } }
const open = (path: string) =>
  openDashboard(browser, site, { path, token: 'at_1', allowFaults: /Failed to load resource|WebSocket|null/ })

describe('a fault while a page renders', () => {
  it('TRIAL-02 shows an error and a retry in its place, and the navigation still works', async () => {
    site.on('listSuppressions', undrawable)
    await using opened = await open('/dashboard/suppressions')
    const { page } = opened
    await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    const sidebar = page.getByRole('navigation').first()
    await sidebar.getByRole('link', { name: 'Campaigns' }).click()
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    site.on('listSuppressions', { json: [], headers: { 'X-Total-Count': '0' } })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  })

  it('TRIAL-04 keeps the input: the field holds it after the retry', async () => {
    const { promise: typed, resolve: answer } = Promise.withResolvers<typeof undrawable>()
    site.on('listSessions', () => typed)
    await using opened = await open('/dashboard/profile')
    const { page } = opened
    const firstName = page.getByLabel('First Name')
    await firstName.fill('Robin')
    answer(undrawable)
    await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
    site.on('listSessions', { json: [], headers: { 'X-Total-Count': '0' } })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.poll(() => firstName.inputValue()).toBe('Robin')
  })

  it('TRIAL-05 is written to the console', async () => {
    site.on('listSuppressions', undrawable)
    await using opened = await open('/dashboard/suppressions')
    await opened.page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
    await expect.poll(() => opened.faults.join('\n')).toMatch(/TypeError: Cannot (read properties|destructure).* null/)
  })
})
