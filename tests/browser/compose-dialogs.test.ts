import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, viewports } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { progressEvents } from '../support/progress-events.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { campaignCounts, sampleCampaign, sampleConfig, sampleMessage } from '../support/samples.ts'

const { browser, site } = await useDashboard()

const finishesAt = '2027-03-01T09:30:00.000Z'
const counts = campaignCounts({ sent: 2, queued: 5, deferred: 1, failed: 1, suppressed: 1 })
const rowOf = (recipient: string, state: string, reply: string | null = null) => ({
  recipient,
  state,
  attempts: 1,
  reply,
  next_attempt_at: state === 'deferred' ? finishesAt : null,
  settled_at: null,
  id: recipient,
  config_id: 'cfg_1',
  mailbox: 'studio@northwind.example',
  opened_at: null,
  clicked_at: null,
  replied_at: null,
  bounced_at: null,
})
const rows = [
  rowOf('a@example.org', 'sent'),
  rowOf('b@example.org', 'queued'),
  rowOf('c@example.org', 'deferred', '451 4.7.1 Try again later'),
  rowOf('d@example.org', 'failed', '550 5.1.1 Mailbox unknown'),
  rowOf('e@example.org', 'suppressed'),
]
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  const two = [
    sampleConfig(),
    sampleConfig({ id: 'cfg_2', email_address: 'shop@northwind.example', secret_key: 'ck_2' }),
  ]
  const made = sampleCampaign({ counts: campaignCounts({ queued: 2 }), finishes_at: finishesAt })
  site.on('listEmailConfigs', { json: two, headers: { 'X-Total-Count': '2' } })
  site.on('estimateEmailCampaign', { json: { count: 2, suppressed: 0, finishes_at: finishesAt, problems: [] } })
  site.on('createEmailCampaign', { status: 201, json: sampleCampaign() })
  site.on('addCampaignRecipients', { json: { added: 2, suppressed: 0, duplicates: 1, refused: 0, refusals: [] } })
  site.on('getEmailCampaign', { json: made })
  site.on('updateEmailCampaign', { json: made })
  site.on('deleteEmailCampaign', { status: 204 })
  site.on('launchEmailCampaign', { json: { ...made, status: 'sending' } })
  site.on('listCampaignRecipients', { json: rows, headers: { 'X-Total-Count': '10' } })
  site.on('watchEmailCampaign', progressEvents({ status: 'sending', counts, finishes_at: finishesAt }))
})

type Size = keyof typeof viewports
const open = (size: Size) =>
  openDashboard(browser, site, { path: '/dashboard/send_email', token: 'at_1', viewport: viewports[size] })

/** Writes a message to the given recipients. */
async function write(page: Page, recipients: string): Promise<void> {
  await page.getByLabel('From').selectOption({ index: 1 })
  await page.getByLabel('Subject Line').fill('Doors open, {{first_name}}')
  await page.getByLabel('Message body').fill('<p>Dear {{first_name}}</p>')
  await page.getByLabel('Recipients', { exact: true }).evaluate((input, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    const how = { clipboardData, bubbles: true, cancelable: true, composed: true }
    input.dispatchEvent(new ClipboardEvent('paste', how))
  }, recipients)
  await page.locator('.chip').first().waitFor()
}

/** The axe violations in light and in dark, and whether anything overflows the page. */
async function inspect(page: Page, size: Size): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(
      ...(await axeViolations(page, { isRecoloured: colorScheme === 'dark' })).map(
        (finding) => `${colorScheme}: ${finding}`,
      ),
    )
  }
  const widthPx = await page.evaluate(() => document.documentElement.scrollWidth)
  return widthPx > viewports[size].width ? [...found, `the page is ${widthPx} px wide`] : found
}

const csv = 'email,first_name\na@example.org,Ada\nb@example.org,Bo\n'

describe.each(Object.keys(viewports) as Size[])('axe finds no violation, in light and dark, on a %s, in', (size) => {
  it('the new-campaign dialog with a start time and without a postal address', async () => {
    await using opened = await open(size)
    const { page } = opened
    await write(page, csv)
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const dialog = page.getByRole('dialog', { name: 'Launch to 2 recipients' })
    await dialog.getByText('will get it.').waitFor()
    await dialog.getByRole('radio', { name: 'Later' }).check()
    await dialog.getByLabel('Time zone').waitFor()
    await dialog.getByLabel('Postal address').waitFor()
    expect(await inspect(page, size)).toEqual([])
    site.on('estimateEmailCampaign', { status: 503, json: { detail: 'The service is stopping.' } })
    await dialog.getByRole('checkbox', { name: 'shop@northwind.example' }).click()
    await dialog.getByText('The service is stopping.').waitFor()
    expect(await inspect(page, size)).toEqual([])
  })

  it('the campaign progress with the cancel confirmation', async () => {
    site.on('getWorkspace', {
      json: {
        id: 'wsp_1',
        name: 'Northwind',
        postal_address: 'Main Street 1',
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    await using opened = await open(size)
    const { page } = opened
    await write(page, csv)
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('button', { name: 'Launch Campaign' }).click()
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText('550 5.1.1 Mailbox unknown').waitFor()
    await progress.getByRole('button', { name: 'Cancel campaign' }).click()
    await progress.getByText('cannot be resumed').waitFor()
    expect(await inspect(page, size)).toEqual([])
  })

  it('the progress of a message with one failed delivery', async () => {
    site.on('watchMessage', progressEvents(sampleMessage({ 'a@example.org': 'sent', 'b@example.org': 'failed' })))
    await using opened = await open(size)
    const { page } = opened
    await write(page, 'a@example.org, b@example.org')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('button', { name: 'Send to 2' }).click()
    await page.getByRole('button', { name: 'Retry 1 failed' }).waitFor()
    expect(await inspect(page, size)).toEqual([])
  })

  it('the confirmation before recipients are dropped, and a failed send', async () => {
    site.on('sendMailWithKey', { status: 502, json: { detail: 'The mailbox refused the sign-in.' } })
    await using opened = await open(size)
    const { page } = opened
    await write(page, 'a@example.org, front desk')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('dialog', { name: 'Send to the other 1?' }).waitFor()
    expect(await inspect(page, size)).toEqual([])
    await page.getByRole('button', { name: 'Send to 1' }).click()
    await page.getByText('The mailbox refused the sign-in.').waitFor()
    expect(await inspect(page, size)).toEqual([])
  })

  it('the empty template picker, its create dialog and the validation errors', async () => {
    await using opened = await open(size)
    const { page } = opened
    await page.getByRole('button', { name: 'Choose Template' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose Template' })
    await picker.getByRole('button', { name: 'Create Template' }).waitFor()
    expect(await inspect(page, size)).toEqual([])
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'hidden' })
    await page.getByRole('form', { name: 'Message' }).getByRole('button', { name: 'Create Template' }).click()
    const create = page.getByRole('dialog', { name: 'Create Template' })
    await create
      .getByRole('button', { name: /Create|Save/ })
      .last()
      .click()
    await create.getByText('Subject is required').waitFor()
    expect(await inspect(page, size)).toEqual([])
  })

  it('the dialog for a conflicting draft version', async () => {
    const draft = (subject: string) => ({ mailboxId: '', subject, messageBody: '', context: {}, recipients: [] })
    const updated_at = '2025-08-14T09:30:00.000Z'
    site.on('getDraft', {
      json: {
        revision: 2,
        content: draft('Here'),
        updated_at,
        replaced: [{ revision: 1, content: draft('Elsewhere'), updated_at }],
      },
    })
    await using opened = await open(size)
    const { page } = opened
    await page.getByText('saved elsewhere').waitFor()
    expect(await inspect(page, size)).toEqual([])
  })
})
