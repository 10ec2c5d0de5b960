import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForHydration } from '../support/browser.ts'
import { openDashboard, pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = (path: string, options: DashboardOptions = {}) => openDashboard(browser, site, { path, ...options })
const textOf = async (page: Page) => (await page.getByRole('article').textContent()) ?? ''

describe('/termspage', () => {
  it('LEGAL-01 LEGAL-02 shows a long text, last updated August 14, 2025, with a table of contents', async () => {
    await using opened = await open('/termspage')
    const { page } = opened
    await page.getByText('Last updated August 14, 2025').waitFor()
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(6000)
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
    const targets = await links.evaluateAll((all) => (all as HTMLAnchorElement[]).map((link) => link.hash.slice(1)))
    const sections = await page
      .getByRole('article')
      .locator('section[id]')
      .evaluateAll((all) => all.map(({ id }) => id))
    expect(targets).toEqual(sections)
    await links.filter({ hasText: 'Refunds' }).click()
    await expect
      .poll(() =>
        page
          .getByRole('heading', { name: 'Refunds' })
          .boundingBox()
          .then((box) => box!.y),
      )
      .toBeLessThan(400)
  })

  let text = ''
  beforeAll(async () => {
    await using opened = await open('/termspage')
    text = await textOf(opened.page)
  })

  it.each([
    ['TERMS-01 campaign scheduling', 'campaign scheduling;'],
    ['TERMS-02 contact lists and segmentation', 'contact list management and segmentation;'],
    ['TERMS-03 performance dashboards', 'performance dashboards,'],
    ['TERMS-04 A/B testing', 'A/B testing;'],
    ['TERMS-05 third-party integrations', 'third-party integrations.'],
    ['TERMS-06 the minimum age', 'at least 18 years old, or have reached the age of majority'],
    ['TERMS-07 one account', 'One account per person or organisation'],
    ['TERMS-08 unsubscribing', 'Unsubscribe requests are honoured within 10 business days'],
    ['TERMS-09 closure', 'On closure, access ends immediately'],
    ['TERMS-10 recovery', 'Your data is kept for 30 days, so that a closure by mistake can be undone'],
    ['TERMS-11 deletion', 'After those 30 days it is permanently deleted'],
    ['TERMS-12 the guarantee', 'New subscribers have a 14-day money-back guarantee'],
    ['TERMS-13 price changes', 'Price changes take effect at the next renewal after 30 days’ notice'],
    ['TERMS-14 the target uptime', 'an uptime of 99.9%'],
    ['TERMS-15 the cap', 'liability in any 12 months is capped at the amount you paid us in the preceding 12 months'],
    ['TERMS-16 billing', 'Paid plans are billed monthly or annually in advance'],
    ['TERMS-17 fees', 'fees are non-refundable except as stated'],
    ['TERMS-18 arbitration', 'decided by binding arbitration'],
  ])('%s is in the text', (_row, sentence) => {
    expect(text).toContain(sentence)
  })
})

it.each([
  ['TERMS-19 a support address', '/termspage', 'support@sendwright.example'],
  ['TERMS-20 a legal address', '/termspage', 'legal@sendwright.example'],
  ['TERMS-21 a privacy address', '/privacypage', 'privacy@sendwright.example'],
])('%s is shown as a mail link', async (_row, path, address) => {
  await using opened = await open(path)
  const link = opened.page.getByRole('article').getByRole('link', { name: address }).first()
  await expect.poll(() => link.getAttribute('href')).toBe(`mailto:${address}`)
})

it('LEGAL-10 LEGAL-11 /privacypage shows a long text with the date of its last update', async () => {
  await using opened = await open('/privacypage')
  await opened.page.getByText('Last updated August 14, 2025').waitFor()
  await expect.poll(async () => (await textOf(opened.page)).length).toBeGreaterThan(4000)
})

describe.each([
  {
    path: '/termspage',
    name: 'terms',
    act: 'Accept Terms',
  },
  {
    path: '/privacypage',
    name: 'privacy',
    act: 'Accept Policy',
  },
])('the agreement of $path', ({ path, name, act }) => {
  const box = (page: Page) => page.getByRole('checkbox')
  const accept = (page: Page) => page.getByRole('button', { name: act })

  it('LEGAL-03 LEGAL-04 LEGAL-05 LEGAL-06 LEGAL-07 LEGAL-12 LEGAL-13 LEGAL-14 LEGAL-15 LEGAL-16 the button is enabled only while the box is ticked', async () => {
    await using opened = await open(path)
    const { page } = opened
    await waitForHydration(page.getByRole('heading', { level: 1 }))
    await page.getByRole('button', { name: 'Decline' }).waitFor()
    await expect.poll(() => accept(page).isDisabled()).toBe(true)
    await box(page).check()
    await expect.poll(() => accept(page).isEnabled()).toBe(true)
    await box(page).uncheck()
    await expect.poll(() => accept(page).isDisabled()).toBe(true)
  })

  it('LEGAL-08 LEGAL-17 the acceptance is stored in a visitor’s browser with the date, and the previous page opens', async () => {
    await using opened = await open('/signup')
    const { page } = opened
    await page.getByLabel('First name').waitFor()
    await page.goto(site.url + path)
    await waitForHydration(page.getByRole('heading', { level: 1 }))
    await box(page).check()
    await accept(page).click()
    await page.waitForURL('**/signup')
    await expect
      .poll(() => page.evaluate((key) => localStorage.getItem(key), `sendwright-accepted:${name}`))
      .toBe('2025-08-14')
  })

  it('the acceptance of a signed-in user is stored on the server', async () => {
    await using opened = await open('/docs', { token: 'at_1' })
    const { page } = opened
    await page.goto(site.url + path)
    await waitForHydration(page.getByRole('heading', { level: 1 }))
    await box(page).check()
    await accept(page).click()
    await page.waitForURL('**/docs')
    await expect
      .poll(() => site.received.find((one) => one.path === '/auth/acceptances')?.body)
      .toEqual({
        document: name,
        date: '2025-08-14',
      })
  })

  it('shows an error when the acceptance could not be stored, and stays', async () => {
    site.on('acceptDocument', { hangUp: true })
    await using opened = await open(path, { token: 'at_1' })
    const { page } = opened
    await waitForHydration(page.getByRole('heading', { level: 1 }))
    await box(page).check()
    await accept(page).click()
    await page.getByText('Your acceptance could not be stored').waitFor()
    await expect.poll(() => pathOf(page)).toBe(path)
    await expect.poll(() => accept(page).isEnabled()).toBe(true)
  })

  it('LEGAL-09 LEGAL-18 Decline opens /', async () => {
    await using opened = await open(path)
    await waitForHydration(opened.page.getByRole('heading', { level: 1 }))
    await opened.page.getByRole('button', { name: 'Decline' }).click()
    await opened.page.waitForURL(`${site.url}/`)
  })
})
