import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  campaignCounts,
  sampleCampaign,
  sampleConfig,
  sampleMessage,
  sampleTemplate,
  sampleUsage,
} from '../support/samples.ts'
import type { ApiServer } from '../support/api-server.ts'
import { connectBrowser } from '../support/browser.ts'
import { openDashboard, startDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

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
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = (path = '/dashboard') => openDashboard(browser, site, { path, token: 'at_1' })
const failed = { status: 503, json: { detail: 'The service is starting.' } }
const region = (page: Page, name: string) => page.getByRole('region', { name })
const { deliveries: _deliveries, ...summary } = sampleMessage({ 'a@example.org': 'sent', 'b@example.org': 'failed' })
const sent = { json: [summary], headers: { 'X-Total-Count': '1' } }
const days = Array.from({ length: 30 }, (_item, at) => ({
  day: new Date(Date.UTC(2025, 7, 1 + at)).toISOString().slice(0, 10),
  sent: at,
  failed: at === 3 ? 2 : 0,
  waiting: 0,
}))

describe('the home screen', () => {
  it('guides only a new account through its first steps', async () => {
    site.on('listEmailConfigs', { json: [], headers: { 'X-Total-Count': '0' } })
    await using opened = await open()
    const steps = region(opened.page, 'Next steps').getByRole('listitem')
    await steps.filter({ hasText: 'Connect a mailbox' }).getByRole('link', { name: 'Connect' }).waitFor()
    site.on('listMessages', sent)
    await using later = await open()
    await region(later.page, 'Last sends').getByText('Doors open Thursday').waitFor()
    await expect.poll(() => region(later.page, 'Next steps').count()).toBe(0)
  })

  it('shows each mailbox with its quota, and the reason of a pause', async () => {
    const paused = sampleConfig({
      id: 'cfg_2',
      email_address: 'shop@northwind.example',
      status: 'paused',
      pause_reason: 'Gmail refused it.',
    })
    site.on('listEmailConfigs', { json: [sampleConfig(), paused], headers: { 'X-Total-Count': '2' } })
    site.on('listConfigUsage', {
      json: [sampleUsage({ day_count: 440 }), sampleUsage({ id: 'cfg_2', day_limit: null, day_count: 3 })],
      headers: { 'X-Total-Count': '2' },
    })
    await using opened = await open()
    const panel = region(opened.page, 'Mailboxes')
    const meter = panel.getByRole('meter', { name: 'Quota of studio@northwind.example' })
    await meter.waitFor()
    await expect.poll(() => meter.getAttribute('aria-valuetext')).toBe('440 of 450')
    await panel.getByText('Paused. Gmail refused it.').waitFor()
    await panel.getByText('3 sent').waitFor()
  })

  it('shows the last sends and campaigns with their states, newest first, and updates the active ones', async () => {
    site.on('listMessages', sent)
    const campaign = sampleCampaign({
      status: 'sending',
      created_at: '2025-08-15T09:30:00.000Z',
      counts: campaignCounts({ sent: 4, queued: 6 }),
    })
    site.on('listEmailCampaigns', { json: [campaign], headers: { 'X-Total-Count': '1' } })
    await using opened = await open()
    const rows = region(opened.page, 'Last sends').getByRole('listitem')
    await rows.nth(1).getByText('1 failed').waitFor()
    await expect.poll(() => rows.nth(0).innerText()).toMatch(/Autumn show[\s\S]*4 sent[\s\S]*6 queued/)
    const finished = { ...campaign, status: 'finished' as const, counts: campaignCounts({ sent: 10 }) }
    site.on('listEmailCampaigns', { json: [finished], headers: { 'X-Total-Count': '1' } })
    await rows.nth(0).getByText('10 sent').waitFor()
  })

  it('shows a draft of a campaign as a draft, without queued recipients', async () => {
    site.on('listMessages', sent)
    const draft = sampleCampaign({ created_at: '2025-08-15T09:30:00.000Z', counts: campaignCounts({ queued: 12 }) })
    site.on('listEmailCampaigns', { json: [draft], headers: { 'X-Total-Count': '1' } })
    await using opened = await open()
    const row = region(opened.page, 'Last sends').getByRole('listitem').first()
    await row.getByText('draft', { exact: true }).waitFor()
    await expect.poll(() => row.innerText()).not.toContain('queued')
  })

  it('charts the last 30 days after the first send, in the visitor’s time zone, with a table alternative', async () => {
    site.on('getStatistics', { json: days })
    await using opened = await openDashboard(browser, site, {
      path: '/dashboard',
      token: 'at_1',
      timezoneId: 'Asia/Tokyo',
    })
    const { page } = opened
    await page.locator('.uplot canvas').waitFor()
    const requested = site.received.find(({ path }) => path === '/email/statistics')
    expect(requested?.query.get('timezone')).toBe('Asia/Tokyo')
    await page.getByRole('row', { name: /^Monday,? 4 August 2025 3 2$/ }).waitFor()
    await region(page, 'Last 30 days').getByText('435 sent').waitFor()
    await page.locator('.u-over').hover({ position: { x: 5, y: 20 } })
    await region(page, 'Last 30 days')
      .getByText(/^Friday,? 1 August 2025$/)
      .waitFor()
  })

  it('fetches no chart code while there is no data', async () => {
    await using opened = await open()
    await region(opened.page, 'Mailboxes').getByRole('meter').waitFor()
    const fetched = await opened.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(fetched.filter((name) => name.includes('days-chart'))).toEqual([])
  })

  it.each([
    ['Mailboxes', 'listEmailConfigs', 'studio@northwind.example'],
    ['Last sends', 'listMessages', 'Nothing sent yet'],
  ])('%s that fails to load can be retried, and leaves the rest usable', async (name, operation, words) => {
    site.on(operation, failed)
    await using opened = await open()
    const panel = region(opened.page, name)
    await panel.getByText('The service is starting.').waitFor()
    site.on(operation, signedInResponses()[operation] ?? {})
    await panel.getByRole('button', { name: 'Try Again' }).click()
    await panel.getByText(words).waitFor()
  })

  it('shows eight of 10,000 mailboxes, and links to all', async () => {
    const all = Array.from({ length: 10_000 }, (_item, at) =>
      sampleConfig({ id: `cfg_${at}`, email_address: `m${at}@northwind.example` }),
    )
    site.on('listEmailConfigs', ({ query }) => {
      const from = Number(query.get('cursor'))
      const end = from + Number(query.get('limit'))
      const next = end < all.length && { 'X-Next-Cursor': String(end) }
      return { json: all.slice(from, end), headers: { 'X-Total-Count': '10000', ...next } }
    })
    await using opened = await open()
    const panel = region(opened.page, 'Mailboxes')
    await panel.getByRole('link', { name: 'All 10,000 mailboxes' }).waitFor()
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(8)
  })
})

describe('the command palette', () => {
  const templates = [
    sampleTemplate(),
    sampleTemplate({ id: 'tpl_2', key: 'receipt-77', subject: 'Thank you for your order', context: ['number'] }),
  ]
  beforeEach(() => site.on('getEmailTemplates', { json: templates, headers: { 'X-Total-Count': '2' } }))
  const search = (page: Page) => page.getByRole('combobox', { name: 'Screen or template' })

  it('opens with Ctrl+K, navigates by the keyboard alone, and restores the focus on Esc', async () => {
    await using opened = await open()
    const { page } = opened
    await region(page, 'Mailboxes').waitFor()
    await page.keyboard.press('Control+k')
    await search(page).waitFor()
    await expect.poll(() => search(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await search(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('docu')
    await page.getByRole('option', { name: 'Documentation', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/documentation')
    await search(page).waitFor({ state: 'detached' })
  })

  it('finds templates by subject, key and tag, and opens one in the designer', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Go to a screen or template' }).click()
    for (const words of ['order', 'receipt-77', 'thank number']) {
      await search(page).fill(words)
      await page.getByRole('option', { name: 'Thank you for your order' }).waitFor()
      await expect.poll(() => page.getByRole('option').count()).toBe(1)
    }
    await page.getByRole('option').click()
    await page.waitForURL('**/dashboard/create')
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toEqual({ template: { id: 'tpl_2' } })
  })

  it('moves through its options with the arrow keys, and wraps around', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Go to a screen or template' }).click()
    const options = page.getByRole('option')
    await options.first().waitFor()
    const last = (await options.count()) - 1
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => options.nth(last).getAttribute('aria-selected')).toBe('true')
    await expect
      .poll(() => search(page).getAttribute('aria-activedescendant'))
      .toBe(await options.nth(last).getAttribute('id'))
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options.nth(0).getAttribute('aria-selected')).toBe('true')
  })

  it('shows an empty state without results, and an error when templates fail to load', async () => {
    site.on('getEmailTemplates', failed)
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Go to a screen or template' }).click()
    await search(page).fill('nothing like it')
    await page.getByText('No results for “nothing like it”.').waitFor()
    await page.getByText('Templates could not be loaded: The service is starting.').waitFor()
  })
})
