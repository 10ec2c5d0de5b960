import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations, chooseHtml, openPage, viewports, type OpenedPage, useBrowser } from '../support/browser.ts'
import { fetchAsCurl, runCurl } from '../support/curl.ts'
import { useServer } from '../support/server.ts'

let opened: OpenedPage
let page: Page
let secretKey: string
const server = await useServer()
const browser = await useBrowser()
beforeAll(async () => {
  opened = await openPage(browser)
  page = opened.page
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
})

const recipients = ['visitor-1@example.org', 'visitor-2@example.org', 'visitor-3@example.org']

/** From sign-up to a received mail; each step depends on the previous one. */
describe('a new user', () => {
  it('signs up, and reads where the confirmation mail arrives', async () => {
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'Start For Free' }).first().click()
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('North')
    await page.getByLabel('Email').fill('Ada@Northwind.example')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByLabel('How did you hear about us?').selectOption('LinkedIn')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    const modal = page.getByRole('dialog', { name: 'Account Created Successfully!' })
    await modal.getByRole('link', { name: 'sandbox inbox' }).click()
    await page.waitForURL('**/sandbox')
  })

  it('confirms the address from the mail in the sandbox inbox', async () => {
    await page.getByRole('button', { name: /ada@northwind\.example/i }).click()
    const popup = page.context().waitForEvent('page')
    await page.frameLocator('iframe').getByRole('link').first().click()
    const confirmed = await popup
    await confirmed.getByRole('heading', { name: 'Email Confirmed!' }).waitFor()
    await confirmed.getByRole('link', { name: 'Login Now !' }).click()
    await confirmed.waitForURL('**/login')
    await confirmed.close()
  })

  it('signs in', async () => {
    await page.goto(`${server.url}/dashboard/email_config`)
    await page.waitForURL('**/login')
    await page.getByLabel('Email').fill('ADA@northwind.example')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.waitForURL('**/dashboard/email_config')
    await page.getByText('Welcome, ada@northwind.example').waitFor()
  })

  it('connects the sandbox mailbox', async () => {
    await page.getByText('No configurations').waitFor()
    await page.getByRole('button', { name: 'Create Config' }).click()
    await page.getByRole('button', { name: 'Use sandbox@localhost' }).click()
    await page.getByRole('button', { name: 'Add Config' }).click()
    await page.getByText('Email configuration successfully added!').waitFor()
    await page.getByRole('cell', { name: /^sandbox@localhost other/ }).waitFor()
    await page.getByText('1 active').waitFor()
  })

  it('writes a message with a merge variable and sends it to three recipients', async () => {
    await page.getByRole('link', { name: 'Send Email' }).click()
    await page.getByLabel('From').selectOption({ label: 'sandbox@localhost · other' })
    secretKey = await page.getByLabel('From').inputValue()
    await page.getByLabel('Recipients').fill(recipients.join(', '))
    await page.getByRole('button', { name: 'ADD+' }).click()
    await page.getByLabel('Subject Line').fill('Türen öffnen, {{first_name}}')
    await chooseHtml(page)
    await page
      .getByLabel('Message body')
      .fill(
        '<h2>The autumn show</h2>\n<p>Dear {{first_name}}, {{place | default: "the hall"}} opens at six — früh.</p>',
      )
    await page.getByLabel('{{first_name}}').fill('friends & all')
    await page.getByText('Dear friends & all, the hall opens at six — früh.').waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('alert').filter({ hasText: 'Email sent successfully!' }).waitFor()
    await page.getByText('Email sent successfully to 3 recipients').waitFor()
    await page.getByText('Sent to 3 of 3').waitFor()
  })

  it('finds the three mails on the SMTP side, with correct headers, encoding and substitution', async () => {
    for (const recipient of recipients) {
      const [mail, ...others] = await server.mailsTo(recipient)
      expect(others).toEqual([])
      expect(mail).toMatchObject({
        from: expect.stringContaining('sandbox@localhost') as string,
        to: [recipient],
        subject: 'Türen öffnen, friends & all',
      })
      expect(mail?.html).toContain('<p>Dear friends &amp; all, the hall opens at six — früh.</p>')
      expect(mail?.text).toContain('Dear friends & all, the hall opens at six — früh.')
      expect(mail?.headers['to']).toContain(recipient)
      expect(mail?.headers['message-id']).toMatch(/^<[^<>\s@]+@[^<>\s]+>$/)
      const head = mail?.raw.split('\r\n\r\n')[0] ?? ''
      expect(head).toMatch(/^Subject: =\?utf-8\?/im)
      expect(head).not.toMatch(/[^\r\n -~\t]/)
      for (const other of recipients.filter((one) => one !== recipient)) expect(mail?.raw).not.toContain(other)
    }
  })

  it('finds the message on the home screen, and the mailbox with its usage', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('region', { name: 'Last messages' }).getByText('3 sent').waitFor()
    await page.getByRole('region', { name: 'Mailboxes' }).getByText('3 sent').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Next steps' }).count()).toBe(0)
    await page.setViewportSize(viewports.phone)
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize(viewports.desktop)
  })

  it('sends the same with curl and the secret key, in plain text', async () => {
    const mail = {
      recipient_list: ['visitor-4@example.org'],
      subject: 'Hello {{name}}',
      content: '<b>It works</b>, {{name}} & co.',
      context: { name: 'Ada' },
    }
    const line = `curl ${server.url}/api/send-mail/${secretKey} -H 'content-type: application/json' -d '${JSON.stringify(mail)}'`
    expect((await runCurl(line)) ?? (await fetchAsCurl(line))).toMatchObject({
      message: 'Email sent successfully to 1 recipient',
      accepted: 1,
    })
    const [received] = await server.mailsTo('visitor-4@example.org')
    expect(received).toMatchObject({
      subject: 'Hello Ada',
      html: null,
      text: expect.stringMatching(/^<b>It works<\/b>, Ada & co\.\s*$/) as string,
    })
    expect(received?.headers['content-type']).toMatch(/^text\/plain/)
  })

  it('deletes the mailbox, and the key is rejected', async () => {
    await page.getByRole('link', { name: 'Email Config' }).click()
    await page.getByRole('button', { name: 'Delete sandbox@localhost' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No configurations').waitFor()
    const body = { recipient_list: ['visitor-5@example.org'], subject: 'Hello', content: 'Too late' }
    expect((await server.call('POST', `/api/send-mail/${secretKey}`, { body })).status).toBe(404)
  })

  it('logs out, and the token is rejected', async () => {
    const token = await page.evaluate(() => localStorage.getItem('access_token'))
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await expect.poll(async () => (await server.call('GET', '/auth/user', { token: token ?? '' })).status).toBe(401)
  })
})
