import { beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import type { Received } from '../support/api-server.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { progressEvents } from '../support/progress-events.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { campaignCounts, sampleCampaign, sampleSuppression } from '../support/samples.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

const { browser, site } = await useDashboard()

const startedAt = '2025-08-14T09:31:00.000Z'
const sending = sampleCampaign({
  id: 'cmp_1',
  status: 'sending',
  started_at: startedAt,
  finishes_at: '2025-08-14T11:00:00.000Z',
  counts: campaignCounts({ sent: 1204, queued: 3790, failed: 4, suppressed: 2 }),
})
const finished = sampleCampaign({
  id: 'cmp_2',
  name: 'Summer fair',
  subject: 'See you at the fair',
  status: 'finished',
  started_at: startedAt,
  finished_at: '2025-08-14T10:00:00.000Z',
  counts: campaignCounts({ sent: 97, failed: 3 }),
})
const draft = sampleCampaign({ id: 'cmp_3', name: '', subject: 'Winter', counts: campaignCounts({ queued: 12 }) })
const campaigns = [sending, finished, draft]
const dead = sampleSuppression()
const left = sampleSuppression({
  id: 'sup_2',
  email: 'ann@example.org',
  reason: 'unsubscribed',
  detail: null,
  campaign_id: 'cmp_2',
})
const failed = { status: 503, json: { detail: 'The service is starting.' } }
const counted = (json: object[], total = json.length) => ({ json, headers: { 'X-Total-Count': String(total) } })
const progressOf = ({ status, counts, finishes_at }: Campaign) => progressEvents({ status, counts, finishes_at })

beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('listEmailCampaigns', counted(campaigns))
  site.on('listSuppressions', counted([dead, left]))
})

const open = (path: string, options?: DashboardOptions) =>
  openDashboard(browser, site, { path, token: 'at_1', ...options })
const calls = (path: string, method = 'GET') =>
  site.received.filter((got: Received) => got.path === path && got.method === method)

describe('the list of campaigns', () => {
  it('shows state and counts of each, and offers the actions that its state allows', async () => {
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    const row = (name: RegExp) => page.getByRole('row', { name })
    await row(/Autumn show.* Sending Last mail at .* 1,204 of 5,000 24.1% 4 failed 2 suppressed – – – –/).waitFor()
    await row(/Summer fair See you at the fair Finished Ended .* 97 of 100 97% 3 failed – – – –/).waitFor()
    await row(/Winter Draft Created .* 0 of 12 – – – –/).waitFor()
    const named = (name: RegExp) =>
      row(name)
        .getByRole('button')
        .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')))
    await expect
      .poll(() => named(/Autumn/))
      .toEqual(['Send again to the failed of Autumn show', 'Pause Autumn show', 'Cancel Autumn show'])
    await expect.poll(() => named(/Summer/)).toEqual(['Send again to the failed of Summer fair', 'Delete Summer fair'])
    await expect.poll(() => named(/Winter/)).toEqual(['Launch Winter', 'Delete Winter'])
  })

  it('follows the progress of sending, without requesting bodies', async () => {
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByText('1,204 of 5,000').waitFor()
    const counts = campaignCounts({ sent: 5000 })
    site.on('listEmailCampaigns', counted([{ ...sending, status: 'finished', counts }]))
    await page.getByText('5,000 of 5,000').waitFor()
    expect(calls('/email/campaign').every(({ query }) => query.get('with_body') === 'false')).toBe(true)
  })

  it('pauses, and cancels after a confirmation that states what is lost', async () => {
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    site.on('pauseEmailCampaign', () => {
      site.on('listEmailCampaigns', counted([{ ...sending, status: 'paused' }]))
      return { json: { ...sending, status: 'paused' } }
    })
    await page.getByRole('button', { name: 'Pause Autumn show' }).click()
    await page.getByRole('row', { name: /Autumn show.* Paused/ }).waitFor()
    site.on('cancelEmailCampaign', { json: { ...sending, status: 'cancelled' } })
    await page.getByRole('button', { name: 'Cancel Autumn show' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this campaign?' })
    await dialog.getByText('3,790 recipients will not receive it, and the campaign cannot be resumed.').waitFor()
    expect(calls('/email/campaign/cmp_1/cancel', 'POST')).toHaveLength(0)
    await dialog.getByRole('button', { name: 'Cancel it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(calls('/email/campaign/cmp_1/cancel', 'POST')).toHaveLength(1)
  })

  it('launches a draft after a confirmation with the recipient count and the estimated completion', async () => {
    const reported = {
      ...draft,
      counts: campaignCounts({ queued: 12, suppressed: 2 }),
      finishes_at: '2027-03-01T09:30:00Z',
    }
    site.on('getEmailCampaign', { json: { ...reported, unfilled_variables: [{ name: 'city', recipients: 3 }] } })
    site.on('getWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: null,
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    site.on('updateWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: 'Main Street 1',
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByRole('button', { name: 'Launch Winter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Launch this campaign?' })
    await dialog.getByText('12 will get it. 2 are suppressed').waitFor()
    await dialog.getByText(/the last mail leaves Monday,? 1 March 2027/).waitFor()
    await dialog.getByText('{{city}} for 3').waitFor()
    const launchIt = dialog.getByRole('button', { name: 'Launch Campaign' })
    await expect.poll(() => launchIt.isDisabled()).toBe(true)
    await dialog.getByLabel('Postal address').fill('Main Street 1')
    expect(calls('/email/campaign/cmp_3/launch', 'POST')).toEqual([])
    site.on('launchEmailCampaign', { status: 503, json: { detail: 'The service is starting.' } })
    await launchIt.click()
    await dialog.getByText('The service is starting.').waitFor()
    site.on('launchEmailCampaign', { json: { ...reported, status: 'sending' } })
    await dialog.getByRole('button', { name: 'Try Again' }).click()
    await launchIt.click()
    // The toast first: it closes by itself.
    await page.getByText('Campaign launched').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    expect(calls('/workspace', 'PATCH').map(({ body }) => body)).toEqual([{ postal_address: 'Main Street 1' }])
    expect(calls('/email/campaign/cmp_3/launch', 'POST').at(-1)?.body).toEqual({ scheduled_at: null, timezone: null })
  })

  it('schedules a draft, and shows its start in the user’s time zone, by name', async () => {
    const at = '2027-03-01T08:00:00.000Z'
    site.on('getEmailCampaign', { json: draft })
    site.on('getWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: 'Main Street 1',
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    site.on('updateEmailCampaign', ({ body }) => ({ json: { ...draft, ...(body as object), scheduled_at: at } }))
    const scheduled = { ...draft, status: 'scheduled' as const, scheduled_at: at, timezone: 'America/New_York' }
    site.on('launchEmailCampaign', () => {
      site.on('listEmailCampaigns', counted([scheduled]))
      return { json: scheduled }
    })
    await using screen = await open('/dashboard/campaigns', { timezoneId: 'Europe/Berlin' })
    const { page } = screen
    await page.getByRole('button', { name: 'Launch Winter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Launch this campaign?' })
    await dialog.getByLabel('Later').check()
    await dialog.getByLabel('Start', { exact: true }).fill('2027-03-01T03:00')
    await dialog.getByLabel('Time zone').selectOption('America/New_York')
    await expect
      .poll(() => calls('/email/campaign/cmp_3', 'PATCH').at(-1)?.body)
      .toEqual({
        scheduled_at: '2027-03-01T03:00',
        timezone: 'America/New_York',
      })
    await dialog.getByRole('button', { name: 'Launch Campaign' }).click()
    await page.getByText('Campaign scheduled: it starts 1 Mar 2027, 09:00 CET').waitFor()
    await page.getByRole('row', { name: /Winter Scheduled Starts 1 Mar 2027, 09:00 CET/ }).waitFor()
    expect(calls('/email/campaign/cmp_3/launch', 'POST')[0]?.body).toEqual({
      scheduled_at: '2027-03-01T03:00',
      timezone: 'America/New_York',
    })
  })

  it('opens a draft: its content, its recipient count, and its launch', async () => {
    const body = '<p>Dear {{first_name | default: "friend"}}</p><script>top.ran = 1</script>'
    site.on('getEmailCampaign', { json: { ...draft, subject: 'Winter in {{city}}', body, context: { city: 'Oslo' } } })
    site.on('watchEmailCampaign', progressOf(draft))
    site.on('listCampaignRecipients', { json: [] })
    site.on('getWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: 'Main Street 1',
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByRole('link', { name: 'Winter' }).click()
    await page.getByText('This draft was not launched. It has 12 recipients.').waitFor()
    await page.getByRole('heading', { name: 'Winter in Oslo' }).waitFor()
    await page.frameLocator('iframe').getByText('Dear friend').waitFor()
    await expect.poll(() => page.evaluate(() => 'ran' in window)).toBe(false)
    await page.getByRole('button', { name: 'Launch', exact: true }).click()
    await page.getByRole('dialog').getByText('12 will get it.').waitFor()
    await page.getByRole('button', { name: 'Not yet' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(calls('/email/campaign/cmp_3', 'DELETE')).toEqual([])
  })

  it('shows the recipients that a retry dropped, and why an action failed', async () => {
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    const message = '2 of 3 are on your list of suppressions'
    site.on('retryEmailCampaign', { json: { ...finished, message, resent: 1, suppressed: 2 } })
    await page.getByRole('button', { name: 'Send again to the failed of Summer fair' }).click()
    await page.getByText(message).waitFor()
    site.on('pauseEmailCampaign', { status: 409, json: { detail: 'The campaign is finished; it cannot be paused.' } })
    await page.getByRole('button', { name: 'Pause Autumn show' }).click()
    await page.getByText('The campaign is finished; it cannot be paused.').waitFor()
  })

  it('acts on a campaign while an action of another one is not answered yet', async () => {
    const held = Promise.withResolvers<undefined>()
    site.on('retryEmailCampaign', async () => {
      await held.promise
      return { json: { ...finished, message: 'Sent again', resent: 3, suppressed: 0 } }
    })
    site.on('pauseEmailCampaign', { json: { ...sending, status: 'paused' } })
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    const again = page.getByRole('button', { name: 'Send again to the failed of Summer fair' })
    await again.click()
    await expect.poll(() => again.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Pause Autumn show' }).click()
    await expect.poll(() => calls('/email/campaign/cmp_1/pause', 'POST').length).toBe(1)
    held.resolve(undefined)
    await expect.poll(() => again.isDisabled()).toBe(false)
  })

  it('is filtered by text and by state on the server', async () => {
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByText('Summer fair').waitFor()
    site.on('listEmailCampaigns', ({ query }) => counted(query.get('search') === 'fair' ? [finished] : []))
    await page.keyboard.press('/')
    await page.keyboard.type('fair')
    await page.getByText('Autumn show').waitFor({ state: 'hidden' })
    await page.getByText('Summer fair').waitFor()
    await page.getByLabel('Search campaigns').fill('nothing of that name')
    await page.getByText('Nothing found').waitFor()
    site.on('listEmailCampaigns', ({ query }) => counted(query.get('status') === 'draft' ? [draft] : campaigns))
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('Autumn show').waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('Draft')
    await page.getByText('Autumn show').waitFor({ state: 'hidden' })
    await page.getByText('Winter').waitFor()
  })

  it('pages through 10,000 of them', async () => {
    site.on('listEmailCampaigns', ({ query }) => {
      const offset = Number(query.get('offset'))
      const rows = Array.from({ length: Math.min(25, 10_000 - offset) }, (_row, at) =>
        sampleCampaign({ id: `cmp_${offset + at}`, name: `Letter ${offset + at + 1}` }),
      )
      return counted(rows, 10_000)
    })
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByText('1 to 25 of 10,000').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('26 to 50 of 10,000').waitFor()
    await page.getByRole('link', { name: 'Letter 50', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByRole('link', { name: 'Letter 1', exact: true }).waitFor()
  })

  it('keeps its page and its filter in the URL: a reload, Back and a link show the same', async () => {
    const ofState = (status: string | null) => (status === 'finished' ? 60 : 10_000)
    site.on('listEmailCampaigns', ({ query }) => {
      const [offset, total] = [Number(query.get('offset')), ofState(query.get('status'))]
      const rows = Array.from({ length: Math.min(25, Math.max(0, total - offset)) }, (_row, at) =>
        sampleCampaign({ id: `cmp_${offset + at}`, name: `Letter ${offset + at + 1}` }),
      )
      return counted(rows, total)
    })
    site.on('getEmailCampaign', { json: finished })
    site.on('watchEmailCampaign', progressOf(finished))
    site.on('listCampaignRecipients', { json: [] })
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    const queryOf = () => new URL(page.url()).search
    const narrowed = page.getByRole('combobox', { name: 'State' })
    await narrowed.selectOption('Finished')
    await page.getByText('1 to 25 of 60').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('26 to 50 of 60').waitFor()
    expect(queryOf()).toBe('?status=finished&page=2')
    await page.reload()
    await page.getByText('26 to 50 of 60').waitFor()
    await expect.poll(() => narrowed.inputValue()).toBe('finished')

    await page.getByRole('link', { name: 'Letter 30', exact: true }).click()
    await page.getByRole('heading', { name: 'Summer fair', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'All campaigns' }).click()
    await page.getByText('26 to 50 of 60').waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByText('26 to 50 of 60').waitFor()
    await page.goBack()
    await page.getByText('1 to 25 of 60').waitFor()
    await page.goBack()
    await page.getByText('1 to 25 of 10,000').waitFor()
    await expect.poll(() => narrowed.inputValue()).toBe('')
    expect(queryOf()).toBe('')
    await page.goForward()
    await page.getByText('1 to 25 of 60').waitFor()
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByText('1 to 25 of 10,000').waitFor()
  })

  it('shows the last page when a link names a later one, and all when it names an unknown state', async () => {
    site.on('listEmailCampaigns', ({ query }) =>
      counted(query.get('offset') === '25' ? [draft] : query.get('offset') === '0' ? campaigns : [], 26),
    )
    await using screen = await open('/dashboard/campaigns?page=99&status=lost')
    const { page } = screen
    await page.getByText('26 to 26 of 26').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?page=2')
    await expect.poll(() => page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('')
  })

  it('adds one history entry for a search typed with pauses', async () => {
    site.on('listEmailCampaigns', ({ query }) => counted(query.has('search') ? [finished] : campaigns))
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByText('Autumn show').waitFor()
    for (const words of ['su', 'summer', 'summer fair']) {
      await page.getByLabel('Search campaigns').fill(words)
      await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(words)
    }
    await page.goBack()
    await page.getByText('Autumn show').waitFor()
    await expect.poll(() => page.getByLabel('Search campaigns').inputValue()).toBe('')
  })

  it('opens the progress of one, and returns', async () => {
    site.on('getEmailCampaign', { json: finished })
    site.on('watchEmailCampaign', progressOf(finished))
    site.on('listCampaignRecipients', { json: [] })
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByRole('link', { name: 'Summer fair' }).click()
    await page.getByRole('heading', { name: 'Summer fair', level: 1 }).waitFor()
    await page.getByText('Sent to 97 of 100 · 3 failed').waitFor()
    await page.getByRole('button', { name: 'Retry 3 failed' }).waitFor()
    await page.getByRole('link', { name: 'All campaigns' }).click()
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  })

  it('stays unchanged when a refresh fails, and is requested again', async () => {
    await using screen = await open('/dashboard/campaigns')
    const { page } = screen
    await page.getByText('1,204 of 5,000').waitFor()
    site.on('listEmailCampaigns', failed)
    await page.getByText('Not up to date: The service is starting.').waitFor()
    await expect.poll(() => page.getByText('1,204 of 5,000').isVisible()).toBe(true)
    site.on('listEmailCampaigns', counted([draft]))
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('Winter').waitFor()
  })
})

describe('the list of suppressions', () => {
  it('shows reason, date, and the reply of the mail server', async () => {
    await using screen = await open('/dashboard/suppressions')
    const { page } = screen
    await page
      .getByRole('row', { name: /gone@example\.org Bounced 550 5\.1\.1 No such user here 14 Aug 2025/ })
      .waitFor()
    const link = page.getByRole('row', { name: /ann@example\.org Unsubscribed/ }).getByRole('link')
    await expect.poll(() => link.getAttribute('href')).toBe('/dashboard/campaigns#cmp_2')
    await page.getByRole('heading', { name: 'Reasons' }).waitFor()
  })

  it('is searched by a part of the address, and reads the search from its URL', async () => {
    site.on('listSuppressions', ({ query }) => counted(query.get('search') === 'gone' ? [dead] : [dead, left]))
    await using screen = await open('/dashboard/suppressions?search=gone')
    const { page } = screen
    await page.getByText('gone@example.org').waitFor()
    await expect.poll(() => page.getByText('ann@example.org').count()).toBe(0)
    await page.getByLabel('Search addresses').press('Escape')
    await page.getByText('ann@example.org').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    site.on('listSuppressions', ({ query }) => counted(query.get('reason') === 'bounced' ? [dead] : [dead, left]))
    await page.getByRole('combobox', { name: 'Reason' }).selectOption('Bounced')
    await page.getByText('ann@example.org').waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByText('gone@example.org').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Reason' }).inputValue()).toBe('bounced')
    await page.goBack()
    await page.getByText('ann@example.org').waitFor()
  })

  it('accepts addresses; an invalid one is marked, and the input is kept', async () => {
    await using screen = await open('/dashboard/suppressions')
    const { page } = screen
    await page.getByRole('button', { name: 'Add addresses' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add addresses' })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Enter an address').waitFor()
    const isFocused = () => dialog.getByLabel('Addresses').evaluate((area) => area === document.activeElement)
    await expect.poll(() => isFocused()).toBe(true)
    const item = { loc: ['body', 'emails', 1], msg: 'nobody is not one address', type: 'address_no_at' }
    site.on('addSuppressions', { status: 422, json: { detail: [item] } })
    await dialog.getByLabel('Addresses').fill('a@example.org\nnobody')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('nobody is not one address').waitFor()
    await expect.poll(() => dialog.getByLabel('Addresses').inputValue()).toBe('a@example.org\nnobody')
    await expect.poll(isFocused).toBe(true)
    site.on('addSuppressions', { json: { added: 2 } })
    await dialog.getByLabel('Addresses').fill('a@example.org, b@example.org')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('2 addresses added').waitFor()
    const [last] = calls('/email/suppressions', 'POST').slice(-1)
    expect(last?.body).toEqual({ emails: ['a@example.org', 'b@example.org'] })
  })

  it("removes one after a confirmation; one that unsubscribed only on that person's request", async () => {
    await using screen = await open('/dashboard/suppressions')
    const { page } = screen
    site.on('deleteSuppression', { status: 204 })
    await page.getByRole('button', { name: 'Remove gone@example.org' }).click()
    let dialog = page.getByRole('dialog', { name: 'Allow mail to gone@example.org again?' })
    await dialog.getByText('550 5.1.1 No such user here').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('gone@example.org can receive mail again').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Remove ann@example.org' }).click()
    dialog = page.getByRole('dialog', { name: 'Allow mail to ann@example.org again?' })
    await expect.poll(() => dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
    await dialog.getByLabel('The recipient has asked for mail again').check()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('ann@example.org can receive mail again').waitFor()
    expect(calls('/email/suppressions/sup_1', 'DELETE')[0]?.query.get('consented')).toBe(null)
    expect(calls('/email/suppressions/sup_2', 'DELETE')[0]?.query.get('consented')).toBe('true')
  })

  it('restores the last removed one unchanged, and offers that again when it fails', async () => {
    await using screen = await open('/dashboard/suppressions')
    const { page } = screen
    site.on('deleteSuppression', { status: 204 })
    await page.getByRole('button', { name: 'Remove gone@example.org' }).click()
    site.on('listSuppressions', counted([left]))
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('gone@example.org was removed.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    site.on('addSuppressions', failed)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The service is starting.').waitFor()
    site.on('addSuppressions', () => {
      site.on('listSuppressions', counted([dead, left]))
      return { json: { added: 1 } }
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByRole('row', { name: /gone@example\.org Bounced 550 5\.1\.1 No such user here 14 Aug 2025/ })
      .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    const { email, reason, detail, created_at, campaign_id } = dead
    expect(calls('/email/suppressions', 'POST').at(-1)?.body).toEqual({
      emails: [email],
      reason,
      detail,
      created_at,
      campaign_id,
    })
  })

  it('fits a long address into the confirmation dialog, on a phone', async () => {
    const email = `${'a'.repeat(60)}@example.org`
    site.on('listSuppressions', { json: [sampleSuppression({ email })], headers: { 'X-Total-Count': '1' } })
    await using screen = await open('/dashboard/suppressions', { viewport: { width: 360, height: 740 } })
    const { page } = screen
    await page.getByRole('button', { name: `Remove ${email}` }).click()
    const title = page.getByRole('heading', { name: `Allow mail to ${email} again?` })
    await title.waitFor()
    await expect.poll(() => title.evaluate((heading) => heading.scrollWidth - heading.clientWidth)).toBe(0)
  })

  it('is imported and exported as CSV, and the skipped lines are listed', async () => {
    await using screen = await open('/dashboard/suppressions')
    const { page } = screen
    const refusals = [{ line: 3, reason: 'The address has no @.' }]
    site.on('importSuppressions', { json: { added: 1, known: 2, refused: 1, refusals } })
    const csv = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('email\na@example.org\nnobody\n') }
    await page.getByLabel('CSV of suppressions').setInputFiles(csv)
    await page.getByText('1 added, 2 already on the list, 1 skipped').waitFor()
    await page.getByText('Line 3: The address has no @.').waitFor()
    expect(calls('/email/suppressions/import', 'POST')[0]?.text).toBe('email\na@example.org\nnobody\n')
    site.on('exportSuppressions', { text: 'email\r\na@example.org\r\n', headers: { 'Content-Type': 'text/csv' } })
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await saving).suggestedFilename()).toBe('suppressions.csv')
  })
})

const scenes: Record<string, Scene> = {
  'the list of campaigns': {
    path: '/dashboard/campaigns',
    token: 'at_1',
    prepare: () => site.on('listEmailCampaigns', counted(campaigns, 10_000)),
    act: (page) => page.getByText('of 10,000').waitFor(),
  },
  'no campaigns': {
    path: '/dashboard/campaigns',
    token: 'at_1',
    prepare: () => site.on('listEmailCampaigns', counted([])),
    act: (page) => page.getByText('No campaigns yet').waitFor(),
  },
  'campaigns that cannot be loaded': {
    path: '/dashboard/campaigns',
    token: 'at_1',
    prepare: () => site.on('listEmailCampaigns', failed),
    act: (page) => page.getByText('The campaigns could not be loaded').waitFor(),
  },
  'one campaign': {
    path: '/dashboard/campaigns#cmp_1',
    token: 'at_1',
    prepare: () => {
      site.on('getEmailCampaign', { json: sending })
      site.on('watchEmailCampaign', progressOf(sending))
      site.on('listCampaignRecipients', { json: [] })
    },
    act: (page) => page.getByRole('button', { name: 'Retry 4 failed' }).waitFor(),
  },
  'a draft and what will be sent': {
    path: '/dashboard/campaigns#cmp_3',
    token: 'at_1',
    prepare: () => {
      site.on('getEmailCampaign', { json: draft })
      site.on('watchEmailCampaign', progressOf(draft))
      site.on('listCampaignRecipients', { json: [] })
    },
    act: (page) => page.getByRole('region', { name: 'Message' }).waitFor(),
  },
  'the question before a draft is launched': {
    path: '/dashboard/campaigns',
    token: 'at_1',
    prepare: () => {
      site.on('getEmailCampaign', { json: { ...draft, unfilled_variables: [{ name: 'city', recipients: 3 }] } })
      site.on('getWorkspace', {
        json: {
          id: 'ws_1',
          name: 'Northwind',
          postal_address: null,
          tracking: 'off',
          api_tracking: 'off',
          events_keep_months: 13,
        },
      })
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Launch Winter' }).click()
      await page.getByText('12 will get it.').waitFor()
      await page.getByLabel('Later').check()
    },
  },
  'the list of suppressions with an outcome': {
    path: '/dashboard/suppressions',
    token: 'at_1',
    prepare: () => {
      const refusals = [{ line: 3, reason: 'The address has no @.' }]
      site.on('importSuppressions', { json: { added: 1, known: 2, refused: 1, refusals } })
    },
    act: async (page) => {
      const csv = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('email\na@example.org\n') }
      await page.getByLabel('CSV of suppressions').setInputFiles(csv)
      await page.getByText('Line 3').waitFor()
    },
  },
  'the question before who left is written to again': {
    path: '/dashboard/suppressions',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Remove ann@example.org' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'nobody on the list, and an address being added': {
    path: '/dashboard/suppressions',
    token: 'at_1',
    prepare: () => site.on('listSuppressions', counted([])),
    act: async (page) => {
      await page.getByText('No suppressed addresses').waitFor()
      await page.getByRole('button', { name: 'Add addresses' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('Enter an address').waitFor()
    },
  },
}

checkScenes(scenes, () => ({ browser, site }))
