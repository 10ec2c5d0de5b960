import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Reply, ReplySummary } from '../../contract/inbox/reply.ts'
import { axeViolations, viewports } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { replyCountEvents } from '../support/progress-events.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleCampaign } from '../support/samples.ts'

const { browser, site } = await useDashboard()

const sample = (id: string, from: string, words: string, over: Partial<ReplySummary> = {}): ReplySummary => ({
  id,
  kind: 'reply',
  match: 'id',
  is_settled: false,
  from_address: `${from.toLowerCase().replace(' ', '.')}@example.org`,
  from_name: from,
  subject: 'Re: Doors open Thursday',
  first_words: words,
  campaign_id: 'cmp_1',
  campaign_name: 'Opening night: Salt and Paper',
  message_id: 'msg_1',
  contact_id: '12',
  config_id: 'cfg_1',
  received_at: new Date(Date.now() - 3_600_000 * (10 - Number(id))).toISOString(),
  is_read: false,
  is_answered: false,
  is_archived: false,
  returns_on: null,
  ...over,
})
const text = `Dear Maya,

two places, please: https://maps.example.org/door?x=1
<img src="https://pixel.example.org/seen.gif"> Is the side door open?`
const all = [
  sample('9', 'Ines Prado', 'Two places, please. Is the side door open for a wheelchair?'),
  sample('8', 'Tomas Weller', 'I cannot come on Thursday, but may I see the works later?', { is_answered: true }),
  sample('7', 'Peter Okafor', 'I am out of the office.', {
    kind: 'auto_reply',
    returns_on: '2026-11-30',
    is_read: true,
  }),
  sample('6', 'Studio Visits', 'Dear all, thank you.', { match: 'probable', is_read: true }),
  sample('5', 'Hugo Lind', 'A lovely evening.', { match: 'unverified', kind: 'unsubscribe', is_read: true }),
]
const whole = (row: ReplySummary): Reply => ({
  ...row,
  mailbox_address: 'studio@example.com',
  text,
  mailbox_link: 'https://mail.google.com/mail/?authuser=studio%40example.com',
  is_verified: true,
  reason: null,
  sent: {
    subject: 'Doors open Thursday, Ines',
    content: '<h2>Salt and Paper</h2><p>Dear Ines, we kept two places for you.</p>',
    is_html: true,
    sent_at: '2026-11-22T09:02:00.000Z',
    recipient: row.from_address,
    opened_at: '2026-11-22T10:12:00.000Z',
    click_count: 1,
  },
  answer: null,
})
const counts = { unread_count: 2, reply_count: 3, auto_reply_count: 1, probable_count: 1, unverified_count: 1 }
const ofView: Record<string, (row: ReplySummary) => boolean> = {
  new: ({ is_read: isRead }) => !isRead,
  reply: ({ kind }) => kind === 'reply',
  auto_reply: ({ kind }) => kind === 'auto_reply',
  probable: ({ match }) => match === 'probable',
  unverified: ({ match }) => match === 'unverified',
  archived: () => false,
}

beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('countUnreadReplies', { json: { ...counts, is_any_reading: true } })
  site.on('watchReplyCounts', replyCountEvents(counts.unread_count))
  site.on('listEmailCampaigns', {
    json: [
      sampleCampaign({ id: 'cmp_1', name: 'Opening night: Salt and Paper', started_at: '2026-11-22T09:00:00.000Z' }),
      sampleCampaign({ id: 'cmp_2', name: 'Call for lenders', started_at: '2026-11-20T09:00:00.000Z' }),
      sampleCampaign({ id: 'cmp_3', name: 'A draft', started_at: null }),
    ],
    headers: { 'X-Total-Count': '3' },
  })
  site.on('listReplies', ({ query }) => {
    const isOf = ofView[query.get('view') ?? ''] ?? (() => true)
    const campaign = query.get('campaign_id')
    return { json: all.filter((row) => isOf(row) && (campaign === null || campaign === row.campaign_id)) }
  })
  for (const name of ['getReply', 'updateReply']) {
    site.on(name, ({ params }) => ({ json: whole(all.find(({ id }) => id === params['id'])!) }))
  }
})

const open = (options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path: '/dashboard/replies', token: 'at_1', viewport: viewports.desktop, ...options })
const row = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const pane = (page: Page) => page.getByRole('region', { name: 'Reply', exact: true })

describe('/dashboard/replies', () => {
  it('REPLIES-17 can be filtered by campaign, and by reply, auto-reply, probable and unverified', async () => {
    await using opened = await open()
    const { page } = opened
    const shown = async (...names: string[]) => {
      await expect.poll(() => page.locator('.replies-list li b').allTextContents()).toEqual(names)
    }
    await shown('Ines Prado', 'Tomas Weller', 'Studio Visits')
    for (const [filter, name] of [
      ['Auto-reply 1', 'Peter Okafor'],
      ['Probable 1', 'Studio Visits'],
      ['Unverified 1', 'Hugo Lind'],
    ] as const) {
      await page.getByRole('button', { name: filter }).click()
      await shown(name)
    }
    await page.getByRole('button', { name: 'All 3' }).click()
    const campaign = page.getByLabel('Campaign')
    await expect
      .poll(() => campaign.locator('option').allTextContents())
      .toEqual(['All mails', 'Opening night: Salt and Paper', 'Call for lenders'])
    await campaign.selectOption('Call for lenders')
    await page.getByText('No replies here').waitFor()
    await campaign.selectOption('Opening night: Salt and Paper')
    await shown('Ines Prado', 'Tomas Weller', 'Studio Visits')
  })

  it('REPLIES-18 J and K move the selection, Enter opens it, and the keys are printed', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByText('J K next, previous Enter open E done').waitFor()
    await row(page, 'Ines Prado').waitFor()
    const current = () => page.locator('.replies-list [aria-current=true] b').textContent()
    await page.keyboard.press('j')
    await expect.poll(current).toBe('Ines Prado')
    await page.keyboard.press('j')
    await expect.poll(current).toBe('Tomas Weller')
    await page.keyboard.press('k')
    await expect.poll(current).toBe('Ines Prado')
    const marked = () => site.received.filter(({ method }) => method === 'PATCH').length
    await pane(page).getByRole('heading', { name: 'Re: Doors open Thursday' }).waitFor()
    expect(marked()).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(marked).toBe(1)
    // In the field of the answer they are letters.
    await page.getByLabel('Answer from studio@example.com').fill('')
    await page.keyboard.type('jok')
    await expect.poll(() => page.getByLabel('Answer from studio@example.com').inputValue()).toBe('jok')
    expect(await current()).toBe('Ines Prado')
  })

  it('REPLIES-20 below 900 px one pane is shown at a time, with a way back to the list', async () => {
    await using opened = await open({ viewport: { width: 899, height: 800 } })
    const { page } = opened
    await row(page, 'Tomas Weller').click()
    await pane(page).getByRole('heading', { name: 'Re: Doors open Thursday' }).waitFor()
    await expect.poll(() => row(page, 'Tomas Weller').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'All replies' }).click()
    await row(page, 'Tomas Weller').waitFor()
    await expect.poll(() => pane(page).isVisible()).toBe(false)
    await page.setViewportSize({ width: 900, height: 800 })
    await row(page, 'Tomas Weller').click()
    await pane(page).getByRole('heading', { name: 'Re: Doors open Thursday' }).waitFor()
    await expect.poll(() => row(page, 'Tomas Weller').isVisible()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'All replies' }).isVisible()).toBe(false)
  })

  it('REPLIES-21 shows the text as text: no image is loaded, and a link does nothing until it is clicked and carries noreferrer', async () => {
    await using opened = await open()
    const { page } = opened
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await row(page, 'Ines Prado').click()
    await pane(page).getByText('<img src="https://pixel.example.org/seen.gif"> Is the side door open?').waitFor()
    const link = pane(page).getByRole('link', { name: 'https://maps.example.org/door?x=1' })
    await expect.poll(() => link.getAttribute('rel')).toContain('noreferrer')
    await expect.poll(() => link.getAttribute('target')).toBe('_blank')
    expect(await pane(page).locator('.reply-text img').count()).toBe(0)
    expect(requested.filter((url) => !url.startsWith(site.url))).toEqual([])
    await page.context().route('https://maps.example.org/**', (route) => route.fulfill({ body: 'map' }))
    const [popup, request] = await Promise.all([
      page.waitForEvent('popup'),
      page.context().waitForEvent('request', (one) => one.url().startsWith('https://maps')),
      link.click(),
    ])
    expect(request.headers()['referer']).toBeUndefined()
    await popup.close()
  })

  it('REPLIES-25 an answer that is refused stays in its field, beside other answers that were begun', async () => {
    site.on('answerReply', {
      status: 409,
      json: { detail: 'The mailbox is paused: its password changed.', code: 'mailbox_paused' },
    })
    await using opened = await open()
    const { page } = opened
    const field = page.getByLabel('Answer from studio@example.com')
    await row(page, 'Ines Prado').click()
    await field.fill('Two places are kept.')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('The mailbox is paused: its password changed.').waitFor()
    await expect.poll(() => field.inputValue()).toBe('Two places are kept.')
    await row(page, 'Tomas Weller').click()
    await expect.poll(() => field.inputValue()).toBe('')
    await field.fill('Come later.')
    await row(page, 'Ines Prado').click()
    await expect.poll(() => field.inputValue()).toBe('Two places are kept.')
  })

  it('passes axe in both schemes and on a phone, whose bottom bar leads to Replies', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using opened = await open({ colorScheme })
      await row(opened.page, 'Ines Prado').click()
      await pane(opened.page).getByRole('heading', { name: 'Re: Doors open Thursday' }).waitFor()
      expect(await axeViolations(opened.page, { isRecoloured: colorScheme === 'dark' })).toEqual([])
    }
    await using small = await open({ viewport: viewports.phone })
    const { page } = small
    await row(page, 'Ines Prado').waitFor()
    const bar = page.getByRole('navigation', { name: 'Main screens' })
    await expect.poll(() => bar.getByRole('link', { name: 'Replies' }).getAttribute('aria-current')).toBe('page')
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
