import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseHtml, connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { storedDraft, waitForStoredDraft } from '../support/drafts.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

const refused = 'full@example.org'
let isRefusing = true
let sink: SmtpSink
let server: TestServer
let user: TestUser
let browser: Browser
let here: OpenedPage
let there: OpenedPage
beforeAll(async () => {
  sink = await startSmtpSink({
    onRecipient: (address) => (address === refused && isRefusing ? '554 5.7.1 Refused by policy' : undefined),
  })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  await server.call('POST', '/email/config', {
    token: user.token,
    body: {
      email_address: 'shop@example.com',
      provider: 'other',
      app_password: 'any',
      smtp_host: '127.0.0.1',
      smtp_port: sink.port,
      smtp_security: 'none',
    },
  })
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  browser = await connectBrowser()
  here = await signIn()
  there = await signIn()
})
afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
  await browser.close()
  await server[Symbol.asyncDispose]()
  await sink.close()
})

/** A browser of its own, as on another machine, in which the user has signed in. Console errors fail the test. */
async function signIn(): Promise<OpenedPage> {
  const opened = await openPage(browser)
  const { page } = opened
  await enterDashboard(page, server, user)
  return opened
}

const body = (page: Page) => page.getByLabel('Message body')
const progress = (page: Page) => page.getByRole('region', { name: 'Progress' })

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel('Recipients', { exact: true }).evaluate((input, list) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', list)
    const how = { clipboardData, bubbles: true, cancelable: true, composed: true }
    input.dispatchEvent(new ClipboardEvent('paste', how))
  }, text)
}

/** One user at two machines; each step depends on the previous one. */
describe('a user with two machines', () => {
  it('starts a draft on one machine, and finds it on the other', async () => {
    const { page } = here
    await page.getByRole('link', { name: 'Send Email' }).click()
    await page.getByLabel('From').selectOption({ label: 'sandbox@localhost · other' })
    await page.getByLabel('Subject Line').fill('Doors open, {{first_name}}')
    await paste(page, 'email,first_name\nada@example.org,Ada\nbo@example.org,Bo\n')
    await chooseHtml(page)
    await body(page).fill('<p>Dear {{first_name}}, the doors open at six.</p>')
    await page.getByText('Draft saved').waitFor()
    await waitForStoredDraft(server, user, 'the doors open at six.')

    await there.page.getByRole('link', { name: 'Send Email' }).click()
    await expect.poll(() => body(there.page).inputValue()).toContain('the doors open at six.')
    await expect.poll(() => there.page.getByLabel('From').inputValue()).toBe(user.secretKey)
    await there.page.getByText('Dear Ada, the doors open at six.').waitFor()
  })

  it('launches it there as a campaign, and follows it until completion; each mail is in the sandbox', async () => {
    const { page } = there
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const dialog = page.getByRole('dialog', { name: 'Launch to 2 recipients' })
    await dialog.getByText('2 will get it.').waitFor()
    await dialog.getByRole('button', { name: 'Launch Campaign' }).click()
    await progress(page).getByText('Sent to 2 of 2').waitFor()
    for (const [address, name] of [
      ['ada@example.org', 'Ada'],
      ['bo@example.org', 'Bo'],
    ] as const) {
      const [mail] = await server.mailsTo(address)
      expect(mail?.subject).toBe(`Doors open, ${name}`)
      expect(mail?.html).toContain(`Dear ${name}, the doors open at six.`)
      expect(mail?.html).toContain('Main Street 1, Bristol')
    }
    await expect.poll(() => body(page).inputValue()).toBe('')
  })

  it('sees on the first machine after a reload that the draft is gone', async () => {
    const { page } = here
    await expect.poll(() => storedDraft(server, user)).not.toMatch(/ada@example\.org|"launched":\{/)
    await page.reload()
    await expect.poll(() => body(page).inputValue()).toBe('')
    await expect.poll(() => progress(page).count()).toBe(0)
  })

  it('follows a campaign with one failed delivery, and retries only that one', async () => {
    const { page } = here
    await page.getByLabel('From').selectOption({ label: 'shop@example.com · other' })
    await page.getByLabel('Subject Line').fill('A second one for {{first_name}}')
    await paste(page, `email,first_name\ncem@example.org,Cem\n${refused},Dee\n`)
    await body(page).fill('<p>Dear {{first_name}}</p>')
    await page.getByText('Dear Cem').waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('button', { name: 'Launch Campaign' }).click()
    await progress(page).getByText('554 5.7.1 Refused by policy').waitFor()
    await progress(page).getByText('Sent to 1 of 2 · 1 failed').waitFor()
    isRefusing = false
    await page.getByRole('button', { name: 'Retry 1 failed' }).click()
    await progress(page).getByText('Sent to 2 of 2').waitFor()
    await expect.poll(() => sink.mails.map(({ to }) => to[0])).toEqual(['cem@example.org', refused])
  })

  it('TRIAL-79 is never asked for unsubscribe_url and postal_address, and both are in the received mail', async () => {
    const { page } = here
    await page.goto(`${server.url}/dashboard/send_email`)
    await page.getByLabel('From').selectOption({ label: 'shop@example.com · other' })
    await page.getByLabel('Subject Line').fill('Where we are')
    await page.getByRole('textbox', { name: 'Recipients' }).fill('dora@example.org')
    await page.keyboard.press('Enter')
    await body(page).fill('<p>{{postal_address}}</p><a href="{{unsubscribe_url}}">Leave</a> {{missing}}')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('missing').first().waitFor()
    await expect.poll(() => question.textContent()).not.toMatch(/unsubscribe_url|postal_address/)
    const countBefore = sink.mails.length
    await question.getByRole('button', { name: /^Send/ }).click()
    await expect.poll(() => sink.mails.length).toBe(countBefore + 1)
    const mail = sink.mails.at(-1)!
    expect(mail.to).toEqual(['dora@example.org'])
    const text = mail.raw.toString().replace(/=\r\n/g, '')
    expect(text).toContain('<p>Main Street 1, Bristol</p>')
    expect(text).toMatch(/<a href=(?:3D)?"http[^"]*\/unsubscribe\/[^"]+">Leave/)
  })
})
