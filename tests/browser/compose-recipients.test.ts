import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, viewports } from '../support/browser.ts'
import { sampleFields, sampleList, sampleSegment } from '../support/contact-responses.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('listContactFields', { json: sampleFields })
  site.on('listLists', { json: [sampleList({ id: '7', name: 'Newsletter', member_count: 118 })] })
  site.on('listSegments', { json: [sampleSegment({ id: '4', name: 'Berlin', member_count: 200 })] })
  const counted = {
    status: 'exact',
    count: 318,
    sources: [
      { kind: 'list', id: '7', count: 118 },
      { kind: 'segment', id: '4', count: 210 },
    ],
    overlaps: 9,
    left_out: [{ reason: 'unsubscribed', count: 3 }],
  }
  site.on('countAudience', {
    text: `event: audience\ndata: ${JSON.stringify(counted)}\n\n`,
    headers: { 'Content-Type': 'text/event-stream' },
  })
  site.on('listAudiencePeople', {
    json: [{ contact_id: '1', email: 'ada@example.org', context: { first_name: 'Ada' } }],
  })
})

const open = (options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path: '/dashboard/send_email', token: 'at_1', ...options })
const csv = 'email;Vorname;Ort\nada@example.com;Ada;"Ulm\nDonau"\nbo@example.com;Bo;Bonn\n;;\nfront desk;Cy;Jena\n'

/** Drops a file, as the browser does, on an element, once the box says that it takes one. */
async function drop(page: Page, target: ReturnType<Page['locator']>, text: string): Promise<void> {
  await page.getByText('drop a CSV file').waitFor()
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([content], 'guests.csv', { type: 'text/csv' }))
    return transfer
  }, text)
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

describe('the recipients of the composer', () => {
  it('take a file by the button and by a drop on the label, and the page is not left', async () => {
    await using opened = await open()
    const { page } = opened
    await drop(page, page.getByText('Recipients', { exact: true }), csv)
    await page.getByText('2 added, 1 not understood, columns: Vorname, Ort').waitFor()
    await page.getByText('1 empty row skipped').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a File' }).click()
    const file = { name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('cy@example.com\ndi@example.com\n') }
    await (await chooser).setFiles(file)
    await page.getByText('2 recipients added').waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Sources' }).getByRole('listitem').count()).toBe(2)
    expect(new URL(page.url()).pathname).toBe('/dashboard/send_email')
  })

  it('are chosen from lists and segments, renamed by column and previewed, with the keyboard alone', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').fill('For {{first_name}}')
    await page.getByLabel('Message body').fill('Hello')
    await page.getByRole('button', { name: 'Choose Lists and Segments' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Send to Newsletter' }).press('Space')
    await page.getByRole('checkbox', { name: 'Send to Berlin' }).press('Space')
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    // Until the dialog has closed nothing behind it takes the focus.
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByText('318 people will get it').first().waitFor()
    await page.getByText('For Ada').waitFor()
    await page.getByRole('button', { name: '3 left out' }).press('Enter')
    await page.getByText('Unsubscribed').waitFor()
  })

  it.each(['desktop', 'phone'] as const)('have no axe violation with sources of each kind, on a %s', async (size) => {
    await using opened = await open({ viewport: viewports[size] })
    const { page } = opened
    await drop(page, page.getByText('Recipients', { exact: true }), csv)
    await page.getByRole('table', { name: 'Columns of guests.csv' }).waitFor()
    await page.getByRole('button', { name: 'Choose Lists and Segments' }).click()
    await page.getByRole('checkbox', { name: 'Send to Newsletter' }).check()
    await page.getByRole('checkbox', { name: 'Leave out Berlin' }).check()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: '3 left out' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(width).toBeLessThanOrEqual(0)
  })

  it('begin with the segment of the address, which is in the draft afterwards', async () => {
    await using opened = await open({ path: '/dashboard/send_email?segment=4' })
    const { page } = opened
    await page.getByRole('list', { name: 'Lists and segments' }).getByText('Berlin').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await expect
      .poll(() => site.received.findLast(({ method }) => method === 'PUT')?.body)
      .toMatchObject({ content: { audience: [{ kind: 'segment', id: '4' }] } })
  })
})
