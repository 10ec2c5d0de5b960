import type { Page } from 'playwright-core'
import { simpleParser } from 'mailparser'
import { expect, it } from 'vitest'
import { axeViolations, chooseHtml, openPage, useBrowser } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

/** Opens the composer with a text, whose row of files is shown then. */
async function compose(page: Page, user: TestUser) {
  await enterDashboard(page, server, user, '/dashboard/send_email')
  await chooseHtml(page)
  await page.getByRole('textbox', { name: 'Message body' }).fill('<p>See the files.</p>')
  return page.getByRole('group', { name: 'Attachments' })
}

const text = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

it('ATTACHMENTS-01 A file is attached by button and by drop; the row shows its name and size, and the total of all.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  const row = await compose(page, user)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    row.getByRole('button', { name: 'Attach files' }).click(),
  ])
  await chooser.setFiles([text('plan.txt', 'a'.repeat(2000))])
  await row.getByRole('listitem').filter({ hasText: 'plan.txt' }).filter({ hasText: '2 kB' }).waitFor()
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['b'.repeat(3000)], 'notes.txt', { type: 'text/plain' }))
    return transfer
  })
  await row.dispatchEvent('drop', { dataTransfer: data })
  await row.getByRole('listitem').filter({ hasText: 'notes.txt' }).filter({ hasText: '3 kB' }).waitFor()
  await row.getByRole('status').filter({ hasText: '2 files, 5 kB' }).waitFor()
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('textbox', { name: 'Subject Line' }).fill('Files')
  await page.getByLabel('From').selectOption({ label: 'sandbox@localhost · other' })
  await page.getByLabel('Recipients', { exact: true }).fill('reader@example.com')
  await page.getByRole('button', { name: 'ADD+' }).click()
  await page.getByRole('button', { name: 'Launch Message' }).click()
  // The launch can be undone for some seconds.
  const arrived = () => server.mailsTo('reader@example.com').catch(() => [])
  await expect.poll(async () => (await arrived()).length, { timeout: 40_000 }).toBe(1)
  const [mail] = await arrived()
  const { attachments } = await simpleParser(Buffer.from(mail!.raw))
  expect(attachments.map(({ filename, size }) => [filename, size])).toEqual([
    ['plan.txt', 2000],
    ['notes.txt', 3000],
  ])
  await expect.poll(() => row.getByRole('listitem').count()).toBe(0)
})

it('ATTACHMENTS-08 files with names in six scripts are listed with their names, and arrive with them', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  const row = await compose(page, user)
  const names = [
    ...['Übersicht größer.txt', 'Отчёт за март.txt', '報告書 最終版.txt'],
    ...['تقرير الربع الأول.txt', 'รายงานประจำปี.txt', 'प्रतिवेदन.txt'],
  ]
  await row.locator('input[type=file]').setInputFiles(names.map((name) => text(name, name)))
  await row.getByRole('status').filter({ hasText: '6 files' }).waitFor()
  expect((await row.locator('.attachment-name').allInnerTexts()).toSorted()).toEqual(names.toSorted())
  for (const name of names) await row.getByRole('button', { name: `Remove ${name}` }).waitFor()
  await page.getByRole('textbox', { name: 'Subject Line' }).fill('Files')
  await page.getByLabel('Recipients', { exact: true }).fill('scripts@example.com')
  await page.getByRole('button', { name: 'ADD+' }).click()
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await expect.poll(() => row.getByRole('listitem').count()).toBe(0)
  const [mail] = await server.mailsTo('scripts@example.com')
  const { attachments } = await simpleParser(Buffer.from(mail!.raw))
  const got = attachments.map(({ filename, content }) => [filename, content.toString()])
  expect(got.toSorted()).toEqual(names.map((name) => [name, name]).toSorted())
})

it('ATTACHMENTS-02 An attachment can be removed by keyboard and pointer, and the total follows.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  const row = await compose(page, user)
  await row
    .locator('input[type=file]')
    .setInputFiles([text('a.txt', 'a'.repeat(1000)), text('b.txt', 'b'.repeat(2000)), text('c.txt', 'c'.repeat(4000))])
  await row.getByRole('status').filter({ hasText: '3 files, 7 kB' }).waitFor()
  await row.getByRole('button', { name: 'Remove b.txt' }).focus()
  await page.keyboard.press('Enter')
  await row.getByRole('status').filter({ hasText: '2 files, 5 kB' }).waitFor()
  await row.getByRole('button', { name: 'Remove c.txt' }).click()
  await row.getByRole('status').filter({ hasText: '1 file, 1 kB' }).waitFor()
})

it('ATTACHMENTS-14 Attachments of a draft are there after a reload.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  const row = await compose(page, user)
  await row.locator('input[type=file]').setInputFiles([text('kept.txt', 'k'.repeat(1000))])
  await row.getByRole('button', { name: 'Remove kept.txt' }).waitFor()
  await page.getByText(/Draft saved/).waitFor()
  await page.reload()
  await row.getByRole('button', { name: 'Remove kept.txt' }).waitFor()
  await row.getByRole('status').filter({ hasText: '1 file, 1 kB' }).waitFor()
})

it('ATTACHMENTS-16 An upload that breaks off leaves the message and its other attachments as they were and offers a retry.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser, { allowFaults: /ERR_|422/ })
  const { page } = opened
  const row = await compose(page, user)
  await row.locator('input[type=file]').setInputFiles([text('first.txt', 'f'.repeat(1000))])
  await row.getByRole('button', { name: 'Remove first.txt' }).waitFor()
  await page.route('**/email/attachments*', (route) => route.abort('connectionreset'))
  await row.locator('input[type=file]').setInputFiles([text('second.txt', 's'.repeat(2000))])
  await row.getByRole('alert').waitFor()
  await row.getByRole('button', { name: 'Remove first.txt' }).waitFor()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Message body' }).inputValue())
    .toBe('<p>See the files.</p>')
  await page.unroute('**/email/attachments*')
  await row.getByRole('button', { name: 'Upload second.txt again' }).click()
  await row.getByRole('button', { name: 'Remove second.txt' }).waitFor()
  await row.getByRole('status').filter({ hasText: '2 files, 3 kB' }).waitFor()
  // A refused kind says why, and the others stay.
  await row.locator('input[type=file]').setInputFiles([text('run.bat', 'del')])
  await row.getByRole('alert').filter({ hasText: 'Scripts are refused by mail servers.' }).waitFor()
  await row.getByRole('status').filter({ hasText: '2 files, 3 kB' }).waitFor()
})
