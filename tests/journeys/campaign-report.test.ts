import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CampaignDelivery } from '../../contract/mail/campaign-recipient.ts'
import { axeViolations, boxOf, connectBrowser, type OpenedPage, openPage } from '../support/browser.ts'
import { startGate } from '../support/gate.ts'
import { startReportSite, type ReportSite } from '../support/sent-campaign.ts'

const people = Array.from({ length: 30 }, (_one, at) => `reader-${at}@${at % 3 === 0 ? 'example.org' : 'example.com'}`)
const gone = people[29]!
const full = people[28]!
const first = people[0]!
const openers = people.slice(0, 12)
const clickers = people.slice(0, 5)
const body = `<h1>Salt and Paper</h1><p>Dear {{name | default: "reader"}}, we kept two places for you.</p>
<p><a href="http://shop.example.com/places" style="background:#0e6b4f;color:#fff;padding:10px 18px;display:inline-block">Keep my places</a></p>
<p><a href="https://shop.example.com/works">See the works</a> · <a href="https://shop.example.com/way?from=mail&amp;to=shop">Getting here</a></p>`

let site: ReportSite
let browser: Browser
let id: string
beforeAll(async () => {
  site = await startReportSite({ refused: { [gone]: '550 5.1.1 No such user', [full]: '552 5.2.2 Mailbox full' } })
  browser = await connectBrowser()
  for (const email of clickers) await site.call('POST', '/email/contacts', { body: { email } })
  const recipients = people.map((email, at) => ({ email, context: { name: `Reader ${at}` } }))
  id = await site.send({ name: 'Opening night', subject: 'Salt and Paper', body }, recipients)
  await site.act(
    id,
    ...openers.map((who, at) => ({ who, afterMinutes: 5 + at * 13 })),
    ...clickers.map((who, at) => ({ who, afterMinutes: 8 + at * 20, link: 1 })),
    ...people.slice(0, 2).map((who, at) => ({ who, afterMinutes: 9 + at * 20, link: 2 })),
    ...people.slice(12, 19).map((who) => ({ who, afterMinutes: 1, agent: 'gmailPrefetch' as const })),
    ...people.slice(19, 21).map((who) => ({ who, afterMinutes: 2, link: 1, agent: 'slack' as const })),
  )
  await site.untilReport(
    id,
    ({ opened, clicked }) =>
      opened.people === 12 && clicked.people === 5 && opened.machines === 7 && clicked.machines === 2,
  )
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

async function open(
  options: Parameters<typeof openPage>[1] = {},
  path = `#${id}`,
  url = site.server.url,
): Promise<OpenedPage> {
  const opened = await openPage(browser, options)
  await opened.page.context().addInitScript((token) => localStorage.setItem('access_token', token), site.user.token)
  await opened.page.goto(`${url}/dashboard/campaigns${path}`)
  return opened
}
const reportOf = (page: Page) => page.getByRole('region', { name: 'Report', exact: true })
const funnelOf = (page: Page) => reportOf(page).getByRole('region', { name: 'From sent to clicked' })
const recipientsOf = (page: Page) => page.getByRole('region', { name: 'Recipients', exact: true })
const addresses = async (page: Page) =>
  (await recipientsOf(page).getByRole('row').getByRole('link').allTextContents()).toSorted()

it('REPORT-01 REPORT-02 CLAIMS-01 the funnel has rows from sent to clicked with count, rate and bar; machines are hatched beside it, and in no rate', async () => {
  await using opened = await open()
  const funnel = funnelOf(opened.page)
  await funnel.waitFor()
  const rows = funnel.locator('.report-steps > li')
  await expect.poll(() => rows.count()).toBe(4)
  const read = async (at: number) => ({
    text: (await rows.nth(at).innerText()).replaceAll(/\s+/g, ' ').trim(),
    people: (await boxOf(rows.nth(at).locator('.report-bar > span:not(.machines)'))).width,
    machines: await rows.nth(at).locator('.report-bar > .machines').count(),
  })
  const [sent, delivered, openedRow, clicked] = [await read(0), await read(1), await read(2), await read(3)]
  expect(sent.text).toBe('Sent 28')
  expect(delivered.text).toMatch(/^Delivered 28 100(\.0)?% 2 bounced$/)
  expect(openedRow.text).toBe('Opened 12 42.9% + 7 by machines')
  expect(clicked.text).toBe('Clicked 5 17.9% + 2 by machines')
  expect([sent.machines, delivered.machines, openedRow.machines, clicked.machines]).toEqual([0, 0, 1, 1])
  expect(openedRow.people / sent.people).toBeCloseTo(12 / 28, 1)
  const hatched = await rows
    .nth(2)
    .locator('.machines')
    .evaluate((bar) => getComputedStyle(bar).backgroundImage)
  expect(hatched).toContain('repeating-linear-gradient')
})

it('REPORT-03 CLAIMS-03 CLAIMS-04 the report shows the unsubscribes, and the bounces grouped by reason', async () => {
  const [row] = (await site.call('GET', `/email/campaign/${id}/recipients?search=${people[20]!}`))
    .body as CampaignDelivery[]
  const mail = site.sink.mails.find(({ to }) => to.includes(row!.recipient))
  const link = /https?:\/\/[^\s<>]+\/unsubscribe\/[\w-]+/.exec(mail!.raw.toString().replaceAll('=\r\n', ''))![0]
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await site.server.call('POST', new URL(link).pathname, { raw: 'List-Unsubscribe=One-Click', headers: form })
  await site.untilReport(id, ({ unsubscribed }) => unsubscribed === 1)
  await using opened = await open()
  await funnelOf(opened.page).getByText('1 unsubscribed (3.6%)').waitFor()
  const reasons = reportOf(opened.page).getByRole('region', { name: 'Why 2 bounced' })
  expect(
    (await reasons.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')).toSorted(),
  ).toEqual(['Mailbox full 1', 'No such address 1'])
})

it('REPORT-04 REPORT-05 the curve names people and machines, has a table, and the arrow keys move its point', async () => {
  await using opened = await open()
  const chart = reportOf(opened.page).getByRole('region', { name: 'Over time' })
  const plot = chart.getByRole('slider', { name: 'Opened over time' })
  await plot.waitFor()
  await expect.poll(() => chart.locator('.line-chart-names').innerText()).toMatch(/People\s+Machines/)
  await plot.focus()
  await opened.page.keyboard.press('Home')
  const first = await plot.getAttribute('aria-valuetext')
  await opened.page.keyboard.press('ArrowRight')
  const second = await plot.getAttribute('aria-valuetext')
  expect(first).toMatch(/People \d+, Machines 7$/)
  expect(second).toMatch(/People \d+, Machines 0$/)
  await chart.getByRole('button', { name: 'Show as table' }).click()
  const table = chart.getByRole('table', { name: 'Opened over time' })
  const cells = (await table.getByRole('row').allInnerTexts())
    .slice(1)
    .map((row) => row.split('\t').slice(1).map(Number))
  const sums = [0, 1].map((at) => cells.reduce((sum, row) => sum + row[at]!, 0))
  expect(sums).toEqual([12, 7])
})

it('REPORT-07 REPORT-08 CLAIMS-02 the mail shows clicks and people at each link, and the table below names each link with the same numbers', async () => {
  await using opened = await open()
  const map = reportOf(opened.page).getByRole('region', { name: 'Where they clicked' })
  const badges = map.frameLocator('iframe').locator('[data-heat]')
  await expect.poll(() => badges.allTextContents()).toEqual(['5 · 5', '2 · 2', '0 · 0'])
  const links = map.frameLocator('iframe').locator('[data-mail-link]')
  expect((await links.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Keep my places/),
    expect.stringMatching(/^See the works/),
    expect.stringMatching(/^Getting here/),
  ])
  const widths = await links.evaluateAll((all) =>
    all.map((link) => Number.parseFloat(getComputedStyle(link).outlineWidth)),
  )
  expect(widths[0]).toBeGreaterThan(widths[1]!)
  expect(widths[1]).toBeGreaterThan(widths[2]!)
  const rows = await map.getByRole('table', { name: 'Clicks by link' }).getByRole('row').allInnerTexts()
  expect(rows.slice(1).map((row) => row.split('\t').map((cell) => cell.trim()))).toEqual([
    ['Keep my places', '5', '5', '+ 2'],
    ['See the works', '2', '2', '0'],
    ['Getting here', '0', '0', '0'],
  ])
})

it('REPORT-09 a click on a figure opens the recipients list filtered to exactly these people', async () => {
  await using opened = await open()
  const { page } = opened
  for (const [name, expected] of [
    ['Opened: 12', openers],
    ['Clicked: 5', clickers],
    ['See the works: 2', people.slice(0, 2)],
    ['+ 7 by machines', people.slice(12, 19)],
    ['+ 2 by machines', people.slice(19, 21)],
    ['No such address: 1', [gone]],
    ['example.org, Opened: 40.0%', openers.filter((one) => one.endsWith('.org'))],
    ['example.com, Bounced: 2', [gone, full]],
  ] as const) {
    await reportOf(page).getByRole('button', { name, exact: true }).click()
    await expect.poll(() => addresses(page)).toEqual([...expected].toSorted())
  }
})

it('REPORT-10 REPORT-11 the filtered people become a list or a segment whose rule finds the same people', async () => {
  await using opened = await open({ allowFaults: /status of 409/ })
  const { page } = opened
  await reportOf(page).getByRole('button', { name: 'Clicked: 5', exact: true }).click()
  await expect.poll(() => addresses(page)).toEqual([...clickers].toSorted())
  const save = async (kind: string, name: string) => {
    await page.getByRole('button', { name: 'Save as list' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Save these people' })
    await dialog.getByRole('radio', { name: kind }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: /^Save as/ }).click()
    return dialog
  }
  await (await save('Segment', 'Clickers')).waitFor({ state: 'detached' })
  const segments = (await site.call('GET', '/email/segments')).body as { id: string; name: string }[]
  const segment = segments.find(({ name }) => name === 'Clickers')!
  const members = async () =>
    ((await site.call('GET', `/email/contacts?segment_id=${segment.id}`)).body as { email: string }[])
      .map(({ email }) => email)
      .toSorted()
  await expect.poll(members).toEqual([...clickers].toSorted())
  await (await save('Fixed list', 'Who clicked')).waitFor({ state: 'detached' })
  const again = await save('Fixed list', 'who clicked')
  await again.getByText('A list has this name already').waitFor()
})

it('REPORT-14 REPORT-15 CLAIMS-06 figures move without a reload; a broken connection keeps them and comes back with the current ones', async () => {
  const later = await site.send({ name: 'Live one', subject: 'Live', body }, people.slice(0, 4))
  await using gate = await startGate(site.server.url)
  await using opened = await open({ allowFaults: /Failed to load resource|net::ERR|WebSocket/ }, `#${later}`, gate.url)
  const { page } = opened
  const openedRow = () => funnelOf(page).locator('.report-steps > li').nth(2).innerText()
  await expect.poll(openedRow).toMatch(/Opened\s+0/)
  await reportOf(page)
    .getByText(/^Updated \d+ s ago$/)
    .waitFor()
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await site.act(later, { who: people[0]!, afterMinutes: 5 })
  await expect.poll(openedRow).toMatch(/Opened\s+1/)
  gate.cut()
  await reportOf(page).getByText('Connection lost, retrying').waitFor()
  expect(await openedRow()).toMatch(/Opened\s+1/)
  await site.act(later, { who: people[1]!, afterMinutes: 6 })
  await site.untilReport(later, ({ opened: { people: count } }) => count === 2)
  expect(await openedRow()).toMatch(/Opened\s+1/)
  gate.open()
  await expect.poll(openedRow).toMatch(/Opened\s+2/)
  await reportOf(page)
    .getByText(/^Updated \d+ s ago$/)
    .waitFor()
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

it('REPORT-17 a report that cannot be loaded shows an error with Try Again; placeholders of the same size stand in its place before', async () => {
  await using opened = await openPage(browser, { allowFaults: /Failed to load resource|net::ERR/ })
  const { page } = opened
  await page.context().addInitScript((token) => localStorage.setItem('access_token', token), site.user.token)
  const { promise: waits, resolve: answer } = Promise.withResolvers<undefined>()
  await page.route('**/report/events', async (route) => {
    await waits
    await route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"Something went wrong"}' })
  })
  await page.goto(`${site.server.url}/dashboard/campaigns#${id}`)
  const place = reportOf(page).locator('.report-skeleton')
  await place.waitFor()
  const waiting = (await boxOf(place)).height
  answer(undefined)
  await reportOf(page).getByText('The report could not be loaded').waitFor()
  expect((await boxOf(place)).height).toBeCloseTo(waiting, 0)
  await page.unroute('**/report/events')
  await reportOf(page).getByRole('button', { name: 'Try Again' }).click()
  await funnelOf(page).getByText('Opened').waitFor()
})

it('REPORT-16 a campaign that has sent nothing yet shows that the first figures come with the first mail', async () => {
  const made = await site.call('POST', '/email/campaign', {
    body: { name: 'Held', subject: 'Held', body, config_id: site.mailboxId, recipients: people.slice(0, 2) },
  })
  const held = (made.body as { id: string }).id
  await site.server.sql(`update campaigns set status = 'paused', started_at = now() where id = $1`, [held])
  await using opened = await open({}, `#${held}`)
  await reportOf(opened.page).getByText('The first figures come with the first mail').waitFor()
  await expect.poll(() => reportOf(opened.page).locator('.report-figure').count()).toBe(0)
})

it('REPORT-18 REPORT-20 a campaign with tracking off says so in its report and in the list, which sorts by each figure', async () => {
  await site.call('PATCH', '/workspace', { body: { tracking: 'off' } })
  const off = await site.send({ name: 'Not measured', subject: 'Quiet', body }, people.slice(0, 3))
  await site.call('PATCH', '/workspace', { body: { tracking: 'identified' } })
  await using opened = await open({}, `#${off}`)
  const { page } = opened
  await reportOf(page).getByText('Tracking was off for this campaign.').waitFor()
  await expect.poll(() => reportOf(page).locator('.report-name').allInnerTexts()).toEqual(['Sent', 'Delivered'])
  await page.getByText('Show the mail').click()
  await page.getByRole('region', { name: 'Message' }).frameLocator('iframe').getByText('Keep my places').waitFor()
  await page.goto(`${site.server.url}/dashboard/campaigns`)
  const rows = page.getByRole('table', { name: 'Campaigns' }).getByRole('row')
  const quiet = rows.filter({ hasText: 'Not measured' })
  await quiet.waitFor()
  const cell = async (row: typeof quiet, label: string) =>
    (await row.locator(`td[data-label="${label}"]`).innerText()).replaceAll(/\s+/g, ' ').trim()
  expect([await cell(quiet, 'Opened'), await cell(quiet, 'Clicked')]).toEqual(['tracking off', 'tracking off'])
  const night = rows.filter({ hasText: 'Opening night' })
  expect(await cell(night, 'Opened')).toBe('12 42.9%')
  expect(await cell(night, 'Clicked')).toBe('5 17.9%')
  expect(await cell(night, 'Bounced')).toMatch(/^2 6\.7%$/)
  for (const figure of ['Sent', 'Opened', 'Clicked', 'Bounced', 'Unsubscribed']) {
    const heading = page.getByRole('columnheader', { name: figure })
    await heading.getByRole('button').click()
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(() => rows.nth(1).innerText()).toContain('Opening night')
  }
  const heading = page.getByRole('columnheader', { name: 'Sent' })
  await heading.getByRole('button').click()
  await heading.getByRole('button').click()
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(() => rows.last().innerText()).toContain('Opening night')
})

it('REPORT-23 REPORT-25 the recipients list shows and filters what became of each mail; without a match it offers Clear filters', async () => {
  await using opened = await open()
  const { page } = opened
  const list = recipientsOf(page)
  await list.getByLabel('State').selectOption('Failed')
  await expect.poll(() => addresses(page)).toEqual([full, gone].toSorted())
  const row = list.getByRole('row').filter({ hasText: gone })
  await expect.poll(() => row.locator('td[data-label="Mailbox"]').innerText()).toBe('shop@example.com')
  await expect.poll(() => row.locator('td[data-label="State"]').innerText()).toBe('Failed')
  await expect
    .poll(() => row.locator('td[data-label="Mail server’s reply"]').innerText())
    .toContain('550 5.1.1 No such user')
  await list.getByLabel('What they did').selectOption('Opened')
  await list.getByText('Nothing found').waitFor()
  await list.getByRole('button', { name: 'Clear filters' }).click()
  await list.getByText('1 to 25 of 30').waitFor()
  await list.getByLabel('What they did').selectOption('Clicked')
  await expect.poll(() => addresses(page)).toEqual([...clickers].toSorted())
  const clicked = list.getByRole('row').filter({ hasText: clickers[0]! })
  await expect.poll(() => clicked.locator('td[data-label="Opened"]').innerText()).not.toBe('–')
  await expect.poll(() => clicked.locator('td[data-label="Clicked"]').innerText()).not.toBe('–')
  await page.goto(`${site.server.url}/dashboard/campaigns?link=2&did=clicked#${id}`)
  await expect.poll(() => addresses(page)).toEqual(people.slice(0, 2).toSorted())
  await page.goto(`${site.server.url}/dashboard/campaigns?domain=example.org&did=opened#${id}`)
  await expect.poll(() => addresses(page)).toEqual(openers.filter((one) => one.endsWith('.org')).toSorted())
  await page.goto(`${site.server.url}/dashboard/campaigns?mailbox=${site.mailboxId}&did=clicked#${id}`)
  await expect.poll(() => addresses(page)).toEqual([...clickers].toSorted())
})

it('REPORT-26 REPORT-28 a row is reached and opened by keyboard alone: it shows the timeline and the mail as sent, merge variables filled', async () => {
  await using opened = await open()
  const { page } = opened
  await reportOf(page).getByRole('button', { name: 'Clicked: 5', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => addresses(page)).toEqual([...clickers].toSorted())
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === clickers[0]) break
  }
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(clickers[0])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: first }).waitFor()
  await page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first().waitFor()
  const entries = await page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').allInnerTexts()
  expect(entries.map((entry) => entry.replaceAll(/\s+/g, ' ').trim())).toEqual([
    expect.stringMatching(/^Clicked See the works/),
    expect.stringMatching(/^Clicked Keep my places/),
    expect.stringMatching(/^Opened/),
    expect.stringMatching(/^Sent/),
  ])
  const mail = page.getByRole('region', { name: 'The mail as sent' })
  await mail.frameLocator('iframe').getByText('Dear Reader 0, we kept two places for you.').waitFor()
  await mail.getByRole('radio', { name: 'Headers' }).click()
  await mail.getByText(`To: ${clickers[0]}`).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page)).toEqual([])
  }
})

it('REPORT-28 axe finds nothing in report and recipients, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await using opened = await open({ colorScheme, viewport })
      const { page } = opened
      await reportOf(page).getByRole('slider').waitFor()
      await recipientsOf(page).getByText('1 to 25 of 30').waitFor()
      await expect.poll(() => reportOf(page).frameLocator('iframe').locator('[data-heat]').count()).toBe(3)
      const folder = process.env['SHOTS']
      if (folder)
        await page.screenshot({ path: `${folder}/report-${colorScheme}-${viewport.width}.png`, fullPage: true })
      expect(await axeViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  }
})

it('REPORT-29 campaigns are compared: the same figures and rates stand side by side', async () => {
  await using opened = await open({}, '')
  const { page } = opened
  await page.getByLabel('Compare Opening night').check()
  await page.getByLabel('Compare Live one').check()
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  const table = page.getByRole('table', { name: 'Figures' })
  await table.waitFor()
  const rows = (await table.getByRole('row').allInnerTexts()).map((row) => row.split('\t').map((cell) => cell.trim()))
  expect(rows[0]!.slice(1)).toEqual(['Opening night', 'Live one'])
  const row = (name: string) => rows.find(([first]) => first === name)!.slice(1)
  expect(row('Sent')).toEqual(['28', '4'])
  expect(row('Opened')).toEqual(['12 42.9%', '2 50.0%'])
  expect(row('Clicked')).toEqual(['5 17.9%', '0 0.0%'])
  expect(row('Bounced')[0]).toBe('2 6.7%')
  expect(await axeViolations(page)).toEqual([])
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/compare.png`, fullPage: true })
})

it('REPORT-30 the report prints with its figures, chart and link table', async () => {
  await using opened = await open()
  const { page } = opened
  await reportOf(page).getByRole('slider').waitFor()
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => funnelOf(page).isVisible()).toBe(true)
  await expect.poll(() => reportOf(page).getByRole('slider').isVisible()).toBe(true)
  const table = reportOf(page).getByRole('table', { name: 'Clicks by link' })
  await expect.poll(() => table.isVisible()).toBe(true)
  await expect.poll(() => page.getByRole('navigation').first().isVisible()).toBe(false)
  await expect.poll(() => recipientsOf(page).isVisible()).toBe(false)
  const pdf = await page.pdf()
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/print.png`, fullPage: true })
})

it('REPORT-31 REPORT-32 the resend dialog says that opens undercount people, and makes a draft with a new subject', async () => {
  await using opened = await open()
  const { page } = opened
  await reportOf(page).getByRole('button', { name: 'Resend to those who did not open' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resend to those who did not open' })
  await dialog.getByText('Opens undercount people').waitFor()
  await dialog.getByLabel('New subject').fill('Two places are still free')
  await dialog.getByRole('button', { name: 'Make the draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Opening night (not opened)' }).waitFor()
  const expected = people.filter((one) => !openers.includes(one) && one !== gone && one !== full)
  await expect.poll(() => addresses(page)).toEqual(expected.toSorted())
})
