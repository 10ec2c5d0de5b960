import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  campaignCounts,
  sampleCampaign,
  sampleConfig,
  sampleDay,
  sampleMessage,
  sampleTemplate,
  sampleUsage,
} from '../support/samples.ts'
import { boxOf } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { statisticsEvents } from '../support/progress-events.ts'
import { pageOf } from '../support/template-pages.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = (path = '/dashboard') => openDashboard(browser, site, { path, token: 'at_1' })
const failed = { status: 503, json: { detail: 'The service is starting.' } }
const region = (page: Page, name: string) => page.getByRole('region', { name })
const { deliveries: _deliveries, ...summary } = sampleMessage({ 'a@example.org': 'sent', 'b@example.org': 'failed' })
const sent = { json: [summary], headers: { 'X-Total-Count': '1' } }
const days = Array.from({ length: 60 }, (_item, at) =>
  sampleDay({
    day: new Date(Date.UTC(2025, 6, 2 + at)).toISOString().slice(0, 10),
    ...{ sent: at < 30 ? 10 : 20, failed: at === 33 ? 2 : 0, opened: at < 30 ? 5 : 8, clicked: at < 30 ? 1 : 4 },
    ...{ bounced: at === 33 ? 2 : 0, unsubscribed: at === 59 ? 1 : 0 },
  }),
)

describe('the home screen', () => {
  it('HOME-13 A new account without mailbox sees the next steps as a checklist; one that has sent does not', async () => {
    site.on('listEmailConfigs', { json: [], headers: { 'X-Total-Count': '0' } })
    await using opened = await open()
    const steps = region(opened.page, 'Next steps').getByRole('listitem')
    await steps.filter({ hasText: 'Connect a mailbox' }).getByRole('link', { name: 'Connect' }).waitFor()
    site.on('listMessages', sent)
    await using later = await open()
    await region(later.page, 'Last messages').getByText('Doors open Thursday').waitFor()
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
    await panel.getByText('Gmail refused it.').waitFor()
    await panel.getByText('3 sent').waitFor()
  })

  it('HOME-12 A mailbox that needs attention is shown with its cause and the next step', async () => {
    const reason = 'Gmail refused the sign-in. Connect it again.'
    const paused = sampleConfig({
      id: 'cfg_2',
      email_address: 'shop@x.example',
      status: 'paused',
      pause_reason: reason,
    })
    site.on('listEmailConfigs', { json: [paused, sampleConfig()], headers: { 'X-Total-Count': '2' } })
    await using opened = await open()
    const row = region(opened.page, 'Mailboxes').getByRole('listitem').filter({ hasText: 'shop@x.example' })
    await row.getByText('Paused', { exact: true }).waitFor()
    await row.getByText(reason).waitFor()
    const link = row.getByRole('link', { name: 'See what to do' })
    await expect.poll(() => link.getAttribute('href')).toBe('/dashboard/email_config')
  })

  it('HOME-15 At 390 px the trouble stands first and the figures scroll sideways without the page itself scrolling', async () => {
    const paused = sampleConfig({ status: 'paused', pause_reason: 'Gmail refused it.' })
    site.on('listEmailConfigs', { json: [paused], headers: { 'X-Total-Count': '1' } })
    site.on('watchStatistics', statisticsEvents(days))
    await using opened = await open()
    const { page } = opened
    await page.setViewportSize({ width: 390, height: 844 })
    const trouble = page.getByRole('main').getByRole('link', { name: /is paused. Gmail refused it./ })
    await trouble.waitFor()
    const tiles = page.getByRole('tablist', { name: 'Figures' })
    await tiles.waitFor()
    const top = async (part: Locator) => (await boxOf(part)).y
    expect(await top(trouble)).toBeLessThan(await top(tiles))
    for (const name of ['Last campaigns', 'Mailboxes', 'Last messages'])
      expect(await top(tiles)).toBeLessThan(await top(region(page, name)))
    const [inner, outer] = await tiles.evaluate((list) => [list.scrollWidth, list.clientWidth] as const)
    expect(inner).toBeGreaterThan(outer)
    await page.getByRole('tab', { name: /^Unsubscribed/ }).click()
    await expect.poll(() => tiles.evaluate((list) => list.scrollLeft)).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('HOME-08 HOME-09 A running campaign stands on top of the last campaigns with bar, counts and foretold finish; drafts stand under Drafts and not among the last campaigns', async () => {
    const running = sampleCampaign({
      ...{ id: 'cmp_run', name: 'Running', status: 'sending', started_at: '2025-08-10T09:30:00.000Z' },
      ...{ finishes_at: '2025-08-15T18:05:00.000Z', counts: campaignCounts({ sent: 3120, queued: 1654 }) },
    })
    const finished = sampleCampaign({
      id: 'cmp_end',
      name: 'Ended',
      status: 'finished',
      started_at: '2025-08-14T09:30:00.000Z',
    })
    const draft = sampleCampaign({ id: 'cmp_draft', name: 'Written only', status: 'draft' })
    site.on('listEmailCampaigns', { json: [draft, finished, running], headers: { 'X-Total-Count': '3' } })
    await using opened = await open()
    const panel = region(opened.page, 'Last campaigns')
    const rows = panel.getByRole('list').first().getByRole('listitem')
    await rows.first().getByText('Running').waitFor()
    await rows
      .first()
      .getByText(/Sending, 3,120 of 4,774, done 15 Aug 2025, 19:05/)
      .waitFor()
    const bar = rows.first().getByRole('progressbar', { name: 'Sent of Running' })
    expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual(['3120', '4774'])
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(2)
    expect((await rows.allInnerTexts()).join()).not.toContain('Written only')
    const drafts = panel.locator('.home-line').filter({ has: opened.page.getByRole('heading', { name: 'Drafts' }) })
    await expect.poll(() => drafts.getByRole('link').allInnerTexts()).toEqual(['Written only'])
  })

  it('HOME-03 Dashboard names the best campaigns of the period, each with a link to its report', async () => {
    const stats = {
      tracking: 'identified',
      sent: 100,
      replied: 0,
      bounced: 0,
      unsubscribed: 0,
      machine_opens: 0,
    } as const
    const campaign = (id: string, clicked: number, daysAgo: number) =>
      sampleCampaign({
        ...{ id, name: `Clicked ${clicked}`, status: 'finished', stats: { ...stats, opened: 50, clicked } },
        started_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      })
    const all = [
      campaign('c1', 5, 1),
      campaign('c2', 30, 2),
      campaign('c3', 12, 3),
      campaign('c4', 1, 4),
      campaign('c5', 99, 40),
    ]
    site.on('listEmailCampaigns', { json: all, headers: { 'X-Total-Count': '5' } })
    await using opened = await open()
    const best = opened.page.locator('.home-line').filter({ hasText: 'Best of the last 30 days' })
    await best.waitFor()
    await expect
      .poll(() => best.getByRole('listitem').allInnerTexts())
      .toEqual([
        'Clicked 30 50% opened, 30% clicked',
        'Clicked 12 50% opened, 12% clicked',
        'Clicked 5 50% opened, 5% clicked',
      ])
    const links = best.getByRole('link')
    expect(await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))).toEqual(
      ['c2', 'c3', 'c1'].map((id) => `/dashboard/campaigns#${id}`),
    )
  })

  it('HOME-02 Each figure of the 30 days shows its change against the period before with an arrow and a sign, not by colour alone', async () => {
    site.on('watchStatistics', statisticsEvents(days))
    await using opened = await open()
    const tabs = opened.page.getByRole('tab')
    await tabs.first().waitFor()
    await expect
      .poll(() => tabs.locator('.home-change [aria-hidden]:not(svg)').allInnerTexts())
      .toEqual(['+100 %', '0 pts', '-10 pts', '+10 pts', '+0.3 pts', '+0.2 pts'])
    await expect.poll(() => tabs.locator('.home-change svg').count()).toBe(6)
    const arrows = await tabs.locator('.home-change svg').evaluateAll((found) => found.map((arrow) => arrow.innerHTML))
    expect(new Set([arrows[0], arrows[1], arrows[2]]).size).toBe(3)
    expect(arrows[3]).toBe(arrows[0])
    await opened.page.getByRole('tab', { name: /\+100 % against the 30 days before/ }).waitFor()
  })

  it('HOME-04 HOME-05 A figure is a tab of the one chart: choosing it by click or arrow keys shows its series; the chart draws this period solid and the one before dashed, both named at their end, and offers its figures as a table', async () => {
    site.on('watchStatistics', statisticsEvents(days))
    await using opened = await openDashboard(browser, site, {
      path: '/dashboard',
      token: 'at_1',
      timezoneId: 'Asia/Tokyo',
    })
    const { page } = opened
    await page.locator('.uplot canvas').waitFor()
    const requested = site.received.find(({ path }) => path === '/email/statistics/events')
    expect(requested?.query.get('timezone')).toBe('Asia/Tokyo')
    const panel = region(page, 'Last 30 days')
    const chart = panel.getByRole('slider')
    await expect.poll(() => chart.getAttribute('aria-label')).toBe('Sent by day')
    await page.getByRole('tab', { name: /^Opened/ }).click()
    await expect.poll(() => chart.getAttribute('aria-label')).toBe('Opened by day')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => chart.getAttribute('aria-label')).toBe('Clicked by day')
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toContain('Clicked')
    await page.keyboard.press('ArrowLeft')
    await chart.focus()
    await page.keyboard.press('Home')
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(/^Friday,? 1 August 2025: These 30 days 8, 30 days before 5$/)
    const names = panel.locator('.line-chart-names')
    await expect.poll(() => names.innerText()).toMatch(/These 30 days\s+30 days before/)
    const styles = await names
      .locator('b, span')
      .evaluateAll((found) => found.map((name) => getComputedStyle(name, '::before').borderTopStyle))
    expect(styles).toEqual(['solid', 'dashed'])
    const [plot, end] = [await boxOf(chart), await boxOf(names)]
    expect(end.x).toBeGreaterThanOrEqual(plot.x + plot.width)
    await panel.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('row', { name: /^Friday,? 1 August 2025 8 5$/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(31)
  })

  it('names the campaign that started on the day of a point, in the time zone of the user', async () => {
    site.on('watchStatistics', statisticsEvents(days))
    const campaign = sampleCampaign({
      ...{ id: 'cmp_day', name: 'Summer sale', status: 'finished', started_at: '2025-08-01T16:00:00.000Z' },
    })
    site.on('listEmailCampaigns', { json: [campaign], headers: { 'X-Total-Count': '1' } })
    await using opened = await openDashboard(browser, site, {
      path: '/dashboard',
      token: 'at_1',
      timezoneId: 'Asia/Tokyo',
    })
    const { page } = opened
    await page.locator('.uplot canvas').waitFor()
    const chart = region(page, 'Last 30 days').getByRole('slider')
    await chart.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/1 August 2025: .*10$/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/2 August 2025: .* · campaign “Summer sale”$/)
  })

  it('shows no rate of opens where a campaign records no people', async () => {
    const stats = { sent: 10, opened: 0, clicked: 0, replied: 1, bounced: 0, unsubscribed: 0, machine_opens: 0 }
    const yesterday = Date.now() - 86_400_000
    const campaigns = (['counts', 'off'] as const).map((tracking, at) =>
      sampleCampaign({
        ...{ id: tracking, name: `With ${tracking}`, status: 'finished', stats: { ...stats, tracking } },
        // The newest is listed first.
        started_at: new Date(yesterday - at).toISOString(),
      }),
    )
    site.on('listEmailCampaigns', { json: campaigns, headers: { 'X-Total-Count': '2' } })
    await using opened = await open()
    const rows = region(opened.page, 'Last campaigns').getByRole('list').first().getByRole('listitem')
    await rows.first().waitFor()
    const rates = async (at: number) => (await rows.nth(at).locator('dd').allInnerTexts()).slice(1)
    await expect.poll(() => rates(0)).toEqual(['totals only', 'totals only', '10%'])
    expect(await rates(1)).toEqual(['tracking off', 'tracking off', '10%'])
    const best = opened.page.locator('.home-line').filter({ hasText: 'Best of the last 30 days' })
    await expect
      .poll(() => best.getByRole('listitem').allInnerTexts())
      .toEqual(['With counts 10% replied', 'With off 10% replied'])
  })

  it('fetches no chart code while there is no data', async () => {
    await using opened = await open()
    await region(opened.page, 'Mailboxes').getByRole('meter').waitFor()
    const fetched = await opened.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(fetched.filter((name) => name.includes('figures-chart'))).toEqual([])
  })

  it.each([
    ['Mailboxes', 'listEmailConfigs', 'studio@northwind.example'],
    ['Last messages', 'listMessages', 'Nothing sent yet'],
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

  it('keeps what is typed while it is being loaded', async () => {
    await using opened = await open()
    const { page } = opened
    await region(page, 'Mailboxes').waitFor()
    const asked = Promise.withResolvers<undefined>()
    const typed = Promise.withResolvers<undefined>()
    await page.route('**/palette*.js', async (route) => {
      asked.resolve(undefined)
      await typed.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await asked.promise
    await page.keyboard.type('docu')
    typed.resolve(undefined)
    await page.getByRole('option', { name: 'Documentation', selected: true }).waitFor()
    await expect.poll(() => search(page).inputValue()).toBe('docu')
    await page.keyboard.type('m')
    await expect.poll(() => search(page).inputValue()).toBe('docum')
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

  it('finds a template that is not among the newest 500, on the server', async () => {
    const many = Array.from({ length: 1200 }, (_, at) =>
      sampleTemplate({ id: `tpl_${at}`, key: `letter-${at}`, subject: `Letter number ${at}` }),
    )
    site.on('getEmailTemplates', ({ query }) => pageOf(many, query))
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Go to a screen or template' }).click()
    await search(page).fill('number 1107')
    await page.getByRole('option', { name: 'Letter number 1107' }).click()
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toEqual({ template: { id: 'tpl_1107' } })
    const asked = site.received
      .filter(({ path }) => path === '/email/templates')
      .map(({ query }) => query.get('search'))
    expect(asked).toEqual([null, 'number 1107'])
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
