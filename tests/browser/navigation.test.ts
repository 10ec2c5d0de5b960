import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Preferences } from '../../contract/account/account.ts'
import type { ApiServer } from '../support/api-server.ts'
import { boxOf, connectBrowser, viewports } from '../support/browser.ts'
import { contactResponses, sampleContact } from '../support/contact-responses.ts'
import { openDashboard, pathOf, startDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { startImportApi } from '../support/import-api.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleUser } from '../support/samples.ts'

let browser: Browser
let site: ApiServer
let preferences: Preferences
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(() => {
  site.received.length = 0
  preferences = {}
  for (const [name, handler] of Object.entries({ ...signedInResponses(), ...contactResponses([sampleContact()]) }))
    site.on(name, handler)
  // Like the server, it stores the preferences of the user.
  site.on('getCurrentUser', () => ({ json: sampleUser({ preferences }) }))
  site.on('updateCurrentUser', ({ body }) => {
    preferences = { ...preferences, ...(body as { preferences: Preferences }).preferences }
    return { json: sampleUser({ preferences }) }
  })
})

const open = (path = '/dashboard', options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path, token: 'at_1', ...options })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })
const group = (page: Page, name: string) => sidebar(page).getByRole('group', { name })
const linksIn = (page: Page, name: string) => group(page, name).getByRole('link').allTextContents()
const current = (page: Page) => sidebar(page).locator('[aria-current=page]').allTextContents()

it('NAVIGATION-01 NAVIGATION-04 has its entries in groups, below Dashboard, Email Config and Send Email', async () => {
  await using opened = await open()
  const { page } = opened
  await group(page, 'Developers').getByRole('button', { name: 'Developers' }).click()
  const all = await sidebar(page).getByRole('link').allTextContents()
  expect(all.slice(0, 3)).toEqual(['Dashboard', 'Email Config', 'Send Email'])
  await expect
    .poll(() => sidebar(page).getByRole('group').getByRole('button').allTextContents())
    .toEqual(['Sending', 'Audience', 'Content', 'Developers'])
  expect(await linksIn(page, 'Sending')).toEqual(['Campaigns', 'Messages', 'Replies'])
  expect(await linksIn(page, 'Audience')).toEqual(['Contacts', 'Lists', 'Segments', 'Suppressions'])
  expect(await linksIn(page, 'Content')).toEqual(['Templates', 'Global', 'Images'])
  expect(await linksIn(page, 'Developers')).toEqual(['Embeds'])
})

it('NAVIGATION-02 the seven specified items keep labels, order and targets', async () => {
  await using opened = await open()
  const { page } = opened
  const specified = [
    ['Dashboard', '/dashboard'],
    ['Email Config', '/dashboard/email_config'],
    ['Send Email', '/dashboard/send_email'],
    ['Templates', '/dashboard/templates'],
    ['Global', '/dashboard/globalTemplates'],
    ['Documentation', '/dashboard/documentation'],
    ['Logout', null],
  ]
  await sidebar(page).getByRole('button', { name: 'Logout' }).waitFor()
  const entries = await sidebar(page)
    .locator('.sidebar-item')
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]))
  const names = specified.map(([name]) => name)
  expect(entries.filter(([name]) => names.includes(name ?? ''))).toEqual(specified)
})

it('NAVIGATION-03 NAVIGATION-05 every entry has a name of its own and opens a screen with a heading of its own', async () => {
  await using opened = await open()
  const { page } = opened
  await group(page, 'Developers').getByRole('button', { name: 'Developers' }).click()
  const names = await sidebar(page).getByRole('link').allTextContents()
  expect(new Set(names).size).toBe(names.length)
  const headings: string[] = []
  for (const name of names) {
    const link = sidebar(page).getByRole('link', { name, exact: true })
    const to = await link.getAttribute('href')
    await link.click()
    await expect.poll(() => pathOf(page)).toBe(to)
    await expect.poll(() => current(page)).toEqual([name])
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).not.toBe(headings.at(-1))
    headings.push((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')
  }
  expect(new Set(headings).size).toBe(names.length)
})

it('NAVIGATION-06 a group folds and unfolds by pointer and by keyboard, and says which it is', async () => {
  await using opened = await open()
  const { page } = opened
  const label = group(page, 'Audience').getByRole('button', { name: 'Audience' })
  await expect.poll(() => label.getAttribute('aria-expanded')).toBe('true')
  await label.click()
  await expect.poll(() => label.getAttribute('aria-expanded')).toBe('false')
  expect(await linksIn(page, 'Audience')).toEqual([])
  await label.press('Enter')
  await expect.poll(() => label.getAttribute('aria-expanded')).toBe('true')
  expect(await linksIn(page, 'Audience')).toEqual(['Contacts', 'Lists', 'Segments', 'Suppressions'])
})

it('NAVIGATION-07 NAVIGATION-08 a folded group stays folded after a reload and in another browser; Developers begins folded', async () => {
  const isOpen = (page: Page, name: string) =>
    group(page, name).getByRole('button', { name }).getAttribute('aria-expanded')
  {
    await using opened = await open()
    const { page } = opened
    await expect.poll(() => isOpen(page, 'Developers')).toBe('false')
    await group(page, 'Content').getByRole('button', { name: 'Content' }).click()
    await expect.poll(() => preferences.folded).toEqual(['developers', 'content'])
    await page.reload()
    await expect.poll(() => isOpen(page, 'Content')).toBe('false')
  }
  await using opened = await open()
  await expect.poll(() => isOpen(opened.page, 'Content')).toBe('false')
  await expect.poll(() => isOpen(opened.page, 'Audience')).toBe('true')
})

it.each([
  ['/dashboard/campaigns#cmp_1', 'Campaigns'],
  ['/dashboard/create', 'Templates'],
  ['/dashboard/imports/1', 'Contacts'],
  ['/dashboard/contacts/1', 'Contacts'],
])('NAVIGATION-09 at %s its entry is current', async (path, entry) => {
  await using opened = await open(path)
  await expect.poll(() => current(opened.page)).toEqual([entry])
})

it('NAVIGATION-10 NAVIGATION-11 collapsed it is a rail of icons with names as tooltips, also after a reload and elsewhere', async () => {
  {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    const link = sidebar(page).getByRole('link', { name: 'Contacts' })
    const isShown = () =>
      link.locator('.sidebar-text').evaluate((text) => {
        const { x, width } = text.getBoundingClientRect()
        return getComputedStyle(text).clipPath === 'none' && width > 40 && x >= 64
      })
    expect(await isShown()).toBe(false)
    await link.hover()
    await expect.poll(isShown).toBe(true)
    await page.mouse.move(600, 400)
    await expect.poll(isShown).toBe(false)
    await sidebar(page).getByRole('link', { name: 'Replies' }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(isShown).toBe(true)
    await expect.poll(() => preferences.sidebar).toBe('collapsed')
    await page.reload()
    await page.getByRole('button', { name: 'Open sidebar' }).waitFor()
  }
  await using opened = await open()
  await opened.page.getByRole('button', { name: 'Open sidebar' }).waitFor()
})

it('NAVIGATION-14 at 390 px the composer has its own bar in place of the bottom bar', async () => {
  await using opened = await open('/dashboard/send_email', { viewport: viewports.phone })
  const { page } = opened
  const launch = page.getByRole('button', { name: 'Launch Message' })
  await launch.waitFor()
  // Longer than the screen: without its place the bar would be below it.
  await page.getByLabel('Message Body').fill('One more line.\n'.repeat(60))
  const bottom = async () => {
    const box = await boxOf(launch)
    return viewports.phone.height - box.y - box.height
  }
  const isAtEdge = async () => {
    const distance = await bottom()
    return distance >= 0 && distance < 40
  }
  await expect.poll(isAtEdge).toBe(true)
  await page.mouse.wheel(0, 60)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(40)
  await expect.poll(isAtEdge).toBe(true)
  await expect.poll(() => page.getByRole('navigation', { name: 'Main screens' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Open sidebar' }).click()
  await sidebar(page).getByRole('link', { name: 'Contacts' }).waitFor()
})

it('NAVIGATION-15 the import wizard opens in the focus layout, in which Ctrl+K works', async () => {
  const api = startImportApi(site, Buffer.from('E-Mail;Vorname\r\na@example.org;Ada\r\n'))
  api.turn({ state: 'mapping' })
  await using opened = await open('/dashboard/imports/12#columns')
  const { page } = opened
  const bar = page.getByRole('banner')
  await bar.getByRole('heading', { level: 1, name: 'Import contacts' }).waitFor()
  await bar.getByText('people.csv').waitFor()
  await bar.getByText('Saved, you can close this page').waitFor()
  await expect.poll(() => page.getByText(/^Welcome,/).count()).toBe(0)
  const rail = await boxOf(sidebar(page))
  expect(rail.width).toBe(64)
  await expect.poll(() => current(page)).toEqual(['Contacts'])
  const primary = page.getByRole('region', { name: 'Actions' }).locator('.button.primary')
  await expect.poll(() => primary.allTextContents()).toEqual(['Continue'])
  expect((await boxOf(primary)).y).toBeLessThan(60)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await bar.getByRole('link', { name: 'Back to Contacts' }).click()
  await expect.poll(() => pathOf(page)).toBe('/dashboard/contacts')
  // The sidebar is again as the person left it.
  await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(224)
  await bar.getByText(/^Welcome,/).waitFor()
})

it("NAVIGATION-16 at 390 px the avatar's menu begins with the welcome", async () => {
  await using opened = await open('/dashboard', { viewport: viewports.phone })
  const { page } = opened
  await page.getByRole('button', { name: /^Profile image/ }).click()
  const menu = page.locator('.account-menu')
  await menu.getByRole('link', { name: 'Profile' }).waitFor()
  await expect.poll(() => menu.locator(':scope > *').first().textContent()).toBe('Welcome, studio@northwind.example')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
})

it('NAVIGATION-12 NAVIGATION-13 at 390 px a bottom bar has a Menu, which opens the sidebar as a sheet', async () => {
  await using opened = await open('/dashboard', { viewport: viewports.phone })
  const { page } = opened
  const bar = page.getByRole('navigation', { name: 'Main screens' })
  await expect
    .poll(() => bar.locator('a, button').allTextContents())
    .toEqual(['Dashboard', 'Campaigns', 'Send Email', 'Replies', 'Menu'])
  const box = await boxOf(bar)
  expect(Math.round(box.y + box.height)).toBe(viewports.phone.height)
  const menu = bar.getByRole('button', { name: 'Menu' })
  const isFocused = () => menu.evaluate((button) => button === document.activeElement)
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => sidebar(page).getByRole('link').allTextContents())
    .toEqual([
      'Dashboard',
      'Email Config',
      'Send Email',
      'Campaigns',
      'Messages',
      'Replies',
      'Contacts',
      'Lists',
      'Segments',
      'Suppressions',
      'Templates',
      'Global',
      'Images',
      'Embeds',
      'Documentation',
      'Profile',
      'Tracking',
    ])
  await page.keyboard.press('Escape')
  await sidebar(page).waitFor({ state: 'hidden' })
  await expect.poll(isFocused).toBe(true)
  await menu.click()
  await sidebar(page).waitFor()
  await page.mouse.click(200, 30)
  await sidebar(page).waitFor({ state: 'hidden' })
  await expect.poll(isFocused).toBe(true)
})
