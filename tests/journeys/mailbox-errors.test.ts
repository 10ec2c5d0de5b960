import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { createUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'

let closedPort: number
let server: TestServer
let browser: Browser
let opened: OpenedPage
let page: Page
beforeAll(async () => {
  const sink = await startSmtpSink()
  closedPort = sink.port
  await sink.close()
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${closedPort}` })
  const user = await createUser(server)
  browser = await connectBrowser()
  // A failed call is logged to the console.
  opened = await openPage(browser, { allowFaults: /Failed to load resource/ })
  page = opened.page
  await enterDashboard(page, server, user)
  await page.getByRole('link', { name: 'Email Config' }).click()
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await browser.close()
  await server[Symbol.asyncDispose]()
})

it('TRIAL-73 an error of connecting a mailbox names fields by their label, with the remedy for the selected provider', async () => {
  const form = page.getByRole('form', { name: 'New Config' })
  await form.getByLabel('Email address').fill('ann@nowhere.invalid')
  await form.getByLabel('Provider').selectOption('other')
  await form.getByLabel('App password', { exact: true }).fill('abcd efgh')
  const host = form.getByLabel('Mail server')
  const port = form.getByLabel('Port')
  const fails = async (sentence: string | RegExp) => {
    await form.getByRole('button', { name: 'Add Config' }).click()
    await form.getByRole('alert').filter({ hasText: sentence }).waitFor()
    await expect.poll(() => form.innerText()).not.toContain('smtp_')
  }
  // The placeholder announces a server lookup; the response says that it found nothing.
  await expect.poll(() => host.getAttribute('placeholder')).toBe('Looked up if left empty')
  await fails('The address’s domain names no mail server. Fill in “Mail server”')
  await host.fill('127.0.0.1')
  await port.fill(String(closedPort))
  await fails('Check “Mail server” and “Port”: 465 with TLS, or 587 with STARTTLS.')
  await port.fill('25')
  await fails('Set “Port” to one of them.')
  await port.fill('70000')
  await form.getByRole('button', { name: 'Add Config' }).click()
  await form.getByText('Enter a number: 587 or 465').waitFor()
})
