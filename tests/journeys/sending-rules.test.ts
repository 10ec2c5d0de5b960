import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { axeViolations, clickShown, connectBrowser, openPage } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let browser: Browser
let user: TestUser
let page: Page
beforeAll(async () => {
  sink = await startSmtpSink()
  ;[server, browser] = await Promise.all([startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` }), connectBrowser()])
})
// A user for each test: the composer restores the draft that a person left.
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const mailbox = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  await server.call('POST', '/email/config', { token: user.token, body: mailbox })
  const opened = await openPage(browser)
  page = opened.page
  await enterDashboard(page, server, user)
  return () => opened[Symbol.asyncDispose]()
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const body = () => page.getByRole('textbox', { name: 'Message body' })

async function write(recipients: readonly string[], mode = 'html') {
  await page.goto(`${server.url}/dashboard/send_email?mode=${mode}`)
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'shop@example.com · other' })
  await page.getByRole('textbox', { name: 'Recipients' }).evaluate(
    (box, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', text)
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true, cancelable: true }))
    },
    `${recipients.join('\n')}\n`,
  )
  await page.getByRole('textbox', { name: 'Subject Line' }).fill(`To ${recipients.length}`)
  await page
    .getByText(recipients[0] ?? '', { exact: true })
    .first()
    .waitFor()
}

/** The composer knows that its message is launched: until then it keeps the draft. */
const untilEmpty = () =>
  expect.poll(() => page.getByRole('textbox', { name: 'Subject Line' }).inputValue(), { timeout: 40_000 }).toBe('')

const mailsTo = (people: readonly string[]) => {
  const meant = new Set(people)
  return sink.mails.filter(({ to }) => to.some((one) => meant.has(one)))
}
const decoded = (raw: Buffer) => raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
const headers = /\r\nList-Unsubscribe: <http[^]*\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n/
const link = /<a href="http[^"]*\/unsubscribe\/[^"]*">Unsubscribe<\/a>/

it.each([2, 900, 1500])(
  'BULKRULES-01 A message from the composer to 2, to 900 and to 1,500 recipients carries List-Unsubscribe, List-Unsubscribe-Post, a visible unsubscribe link and the postal address in every mail: %i',
  async (count) => {
    const people = Array.from({ length: count }, (_, at) => `of-${count}-${at}@example.org`)
    await write(people)
    await body().fill('<p>Come in, all of you.</p>')
    await page
      .getByText(`${count.toLocaleString('en-GB')} recipients`)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).click()
    if (count > 10) {
      const dialog = page.getByRole('dialog')
      await dialog.getByText('the last mail leaves').waitFor()
      await dialog.getByRole('button', { name: 'Launch Campaign' }).click()
    }
    await expect.poll(() => mailsTo(people).length, { timeout: 90_000 }).toBe(count)
    const mails = mailsTo(people).map(({ raw }) => decoded(raw))
    expect(mails.filter((mail) => !headers.test(mail) || !link.test(mail) || !mail.includes('Main Street 1'))).toEqual(
      [],
    )
    expect(
      mailsTo(people)
        .flatMap(({ to }) => to)
        .toSorted(),
    ).toEqual(people.toSorted())
    await untilEmpty()
  },
  180_000,
)

it('BULKRULES-02 A message from the composer to one recipient carries no unsubscribe header and no footer.', async () => {
  await write(['single@example.org'])
  await body().fill('<p>Only you.</p>')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await expect.poll(() => mailsTo(['single@example.org']).length).toBe(1)
  const mail = decoded(mailsTo(['single@example.org'])[0]!.raw)
  expect(mail).toContain('Only you.')
  expect(mail).not.toMatch(/unsubscribe|Main Street/i)
  await untilEmpty()
})

it('UNDO-02 Undo before the countdown ends sends no mail, and the form shows the message as it was: recipients, attachments, mode and text.', async () => {
  await write(['one@example.org', 'two@example.org'], 'text')
  const text = page.getByRole('radio', { name: 'Text', exact: true })
  await text.click()
  await expect.poll(() => text.isChecked()).toBe(true)
  await clickShown(body())
  await page.keyboard.type('Dear both, see the plan.')
  const files = page.getByRole('group', { name: 'Attachments' })
  await files
    .locator('input[type=file]')
    .setInputFiles([{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') }])
  await files.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  await page.evaluate(() => sessionStorage.setItem('sendwright-undo', '60'))
  await page.getByRole('button', { name: 'Launch Message' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Email sent successfully!' })
  await alert.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Dear both, see the plan.').first().waitFor()
  await expect.poll(() => text.isChecked()).toBe(true)
  await expect.poll(() => page.getByRole('textbox', { name: 'Subject Line' }).inputValue()).toBe('To 2')
  await page.getByText('one@example.org', { exact: true }).first().waitFor()
  await page.getByText('two@example.org', { exact: true }).first().waitFor()
  await files.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  const states = () =>
    server.sql(
      "select distinct d.state from deliveries d join messages m on m.id = d.message_id where m.subject = 'To 2'" +
        " and d.recipient in ('one@example.org', 'two@example.org')",
    )
  expect(await states()).toEqual([{ state: 'cancelled' }])
  expect(mailsTo(['one@example.org', 'two@example.org'])).toEqual([])
})

it('CHECK-21 The check panel is operated by keyboard alone, and its end is announced to assistive tools.', async () => {
  await write(['one@example.org'])
  await body().fill('<p>Dear reader, <a href="http://shop.example.org/">come in</a>.</p>')
  const panel = page.getByRole('region', { name: 'Check before sending' })
  const start = panel.getByRole('button', { name: 'Check' })
  await start.focus()
  await page.keyboard.press('Enter')
  // A live region: what changes in it is read out.
  await panel
    .getByRole('status')
    .filter({ hasText: /^Check: \d+ of 100\. \d+ findings?$/ })
    .waitFor({ timeout: 60_000 })
  await panel.getByText('A link leads to http, not https').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
  const show = panel.getByRole('button', { name: 'Show it' }).first()
  for (let at = 0; at < 10 && !(await show.evaluate((one) => one.matches(':focus'))); at++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => body().evaluate((one) => one.matches(':focus'))).toBe(true)
})
