import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewEmbedSession } from '../../contract/embed/embed-session.ts'
import { connectBrowser, openPage } from '../support/browser.ts'
import { waitForState } from '../support/embed-bench.ts'
import { startHostSite, type HostSite } from '../support/embed-site.ts'
import { createTestEmbed, type TestEmbed } from '../support/embeds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { recordedEvents, recordEvents, readEverything } from '../support/whole-page.ts'

let server: TestServer
let browser: Browser
let host: HostSite
let made: TestEmbed
beforeAll(async () => {
  ;[server, browser, host] = await Promise.all([
    startTestServer({}, { libraryFile: join(import.meta.dirname, '../../dist/library/index.json') }),
    connectBrowser(),
    startHostSite(),
  ])
})
afterAll(async () => {
  await browser.close()
  await host[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  made = await createTestEmbed(server, { allowed_origins: [host.url] })
})

/** Has the site's back end create sessions, by default with its secret key. */
function mint(changes: Partial<NewEmbedSession> = {}, by = made.user.secretKey): void {
  host.on('/session', (_request, response) => {
    void made.open({ origin: host.url, ...changes }, by).then((answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body))
    })
  })
}

/** Opens a page with widgets; `refusals` are the calls that the server answered with 403 or 404. */
async function open(widgets: string[], { tokenUrl = '/session', id = made.embed.id } = {}) {
  const elements = widgets.map((name) => `<div data-sendwright="${name}"></div>`).join('')
  const script = `<script async src="${server.url}/embed/compose.js" data-embed="${id}" data-token-url="${tokenUrl}" data-mode="html"></script>`
  host.on('/', `<!doctype html><html lang="en"><title>Site</title>${script}${elements}</html>`)
  const opened = await openPage(browser, { allowFaults: /status of 401/ })
  await recordEvents(opened.page)
  const refusals: string[] = []
  opened.page.on('response', (answer) => {
    if ([403, 404].includes(answer.status()) && answer.url().startsWith(server.url)) refusals.push(answer.url())
  })
  await opened.page.goto(host.url)
  await waitForState(opened.page, 'ready', widgets.length)
  return { ...opened, refusals }
}
const sender = (page: Page, text: string) => page.locator('option', { hasText: text })
const saveTemplate = (subject: string, isPublic: boolean) =>
  server.call('POST', '/email/template', {
    token: made.user.token,
    body: { subject, body: `<p>${subject}</p>`, is_public: isPublic },
  })
async function write(page: Page, recipient: string, subject: string): Promise<void> {
  await sender(page, 'sandbox@localhost').waitFor({ state: 'attached' })
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Subject Line').fill(subject)
  await page.getByLabel('Message body').fill('<p>Dear friend</p>')
  await page.getByLabel('Recipients', { exact: true }).fill(recipient)
  await page.getByLabel('Recipients', { exact: true }).press('Enter')
}

/** The tracked addresses of a mail. */
const pathsOf = (html: string, kind: 'c' | 'o') =>
  [...html.matchAll(new RegExp(`"http[^"]*(/${kind}/[^"]*)"`, 'g'))].map(([, path]) => path!.replaceAll('&amp;', '&'))

it('REPORT-34 The embed’s composer shows opens and clicks of its own sends when its session has `reports:read`, and no figures without it', async () => {
  await server.call('PATCH', '/workspace', { token: made.user.token, body: { api_tracking: 'identified' } })
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0' }
  /** Sends to one recipient, who opens the mail and clicks its link; returns what the page requested of the message. */
  const sendAndRead = async (opened: Awaited<ReturnType<typeof open>>, to: string) => {
    const { page } = opened
    const requests: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    await write(page, to, 'Figures')
    await page.getByLabel('Message body').fill('<p><a href="https://example.org/a">Read</a></p>')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('status').filter({ hasText: 'Sent to 1 of 1' }).waitFor()
    const [mail] = await server.mailsTo(to)
    await server.sql(`update deliveries set settled_at = settled_at - interval '1 minute' where recipient = $1`, [to])
    const [pixel, link] = [pathsOf(mail!.html ?? '', 'o')[0]!, pathsOf(mail!.html ?? '', 'c')[0]!]
    for (const path of [pixel, link]) await fetch(server.url + path, { headers, redirect: 'manual' })
    return requests.filter((url) => url.includes('/email/messages/'))
  }

  mint({ scopes: ['configs:read', 'mail:send', 'reports:read'] })
  await using reader = await open(['compose'])
  await sendAndRead(reader, 'figures-1@example.org')
  await reader.page.getByText('1 opened · 1 clicked').waitFor()

  mint({ scopes: ['configs:read', 'mail:send'] })
  await using other = await open(['compose'])
  const requests = await sendAndRead(other, 'figures-2@example.org')
  const id = /messages\/([^/]+)\/events/.exec(requests[0]!)![1]!
  const figuresOf = async () => {
    const { body } = await server.call('GET', `/email/messages/${id}`, { token: made.user.token })
    return (body as { opened?: number }).opened
  }
  await expect.poll(figuresOf).toBe(1)
  expect(await other.page.getByText(/\d opened/).count()).toBe(0)
  expect(requests.filter((url) => url.includes('limit='))).toEqual([])
  expect(other.refusals).toEqual([])
})

describe('widgets of one page', () => {
  it('show at once a mailbox that is paused, removed or connected in another of them', async () => {
    mint({}, made.user.token)
    await using opened = await open(['compose', 'config-manager'])
    const { page } = opened
    await sender(page, 'sandbox@localhost · other').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Pause sandbox@localhost' }).click()
    await sender(page, 'sandbox@localhost · paused').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Resume sandbox@localhost' }).click()
    await sender(page, 'sandbox@localhost · other').waitFor({ state: 'attached' })
    await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Delete sandbox@localhost' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await sender(page, 'sandbox@localhost').waitFor({ state: 'detached' })
    const from = page.getByLabel('From', { exact: true })
    const shown = () => from.evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]?.textContent)
    await expect.poll(shown).toBe('No email configurations found')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByLabel('Email address').fill('sandbox@localhost')
    await page.getByLabel('Provider').selectOption('other')
    await page.getByLabel('App password', { exact: true }).fill('any')
    await page.getByRole('button', { name: 'Add Config' }).click()
    await sender(page, 'sandbox@localhost · other').waitFor({ state: 'attached' })
    expect(opened.refusals).toEqual([])
  })

  it('show at once a template that was saved in another of them', async () => {
    mint()
    await using opened = await open(['compose', 'template-picker'])
    const { page } = opened
    await page.getByText('No templates yet').waitFor()
    await page.getByLabel('Subject Line').fill('Kept for later')
    await page.getByRole('radio', { name: 'HTML' }).click()
    await expect.poll(() => page.getByRole('radio', { name: 'HTML' }).isChecked()).toBe(true)
    await page.getByLabel('Message body').fill('<p>Dear {{name}}</p>')
    await page.locator('[data-sendwright=compose]').getByRole('button', { name: 'Create Template' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create Template' }).click()
    await page
      .getByRole('list', { name: 'Your templates' })
      .getByRole('button', { name: /Kept for later/ })
      .waitFor()
  })
})

it('nothing readable by a page contains a key, a token or an app password, after a mailbox was connected and used', async () => {
  const appPassword = 'canary horse battery'
  mint({}, made.user.token)
  await server.call('DELETE', `/email/configs/${made.user.mailboxId}`, { token: made.user.token })
  await using opened = await open(['compose', 'config-manager', 'template-picker'])
  const { page } = opened
  const posts: string[] = []
  page.on('request', (request) => posts.push(request.postData() ?? ''))
  await page.getByText('No configurations').waitFor()
  await page.getByLabel('Email address').fill('sandbox@localhost')
  await page.getByLabel('Provider').selectOption('other')
  await page.getByLabel('App password', { exact: true }).fill(appPassword)
  await page.getByRole('button', { name: 'Add Config' }).click()
  await page.getByText('Email configuration successfully added!').waitFor()
  await write(page, 'crawled@example.org', 'Crawled')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await server.mailsTo('crawled@example.org')
  await page.getByText('Email sent successfully!').first().waitFor()
  await page.getByRole('button', { name: 'Pause sandbox@localhost' }).click()
  await sender(page, 'paused').waitFor({ state: 'attached' })

  const everything = await readEverything(page)
  expect(everything).not.toMatch(/\b(ck|at|es|ec)_[\w-]{6,}/)
  expect(everything).not.toContain('canary')
  const names = new Set((await recordedEvents(page)).map((one) => one.split(' ')[0]))
  expect([...names].filter((name) => name?.startsWith('sendwright:')).sort()).toEqual([
    'sendwright:before-send',
    'sendwright:config-saved',
    'sendwright:message-sent',
    'sendwright:ready',
  ])
  // It was sent once, to the server only.
  expect(posts.filter((text) => text.includes('canary'))).toHaveLength(1)
})

describe('an expired session', () => {
  it('is replaced while a message is sent, which still goes out from the selected mailbox', async () => {
    mint()
    await using opened = await open(['compose'])
    const { page } = opened
    await write(page, 'renewed@example.org', 'In the next session')
    const before = await page.getByLabel('From', { exact: true }).inputValue()
    await server.call('DELETE', `/embeds/${made.embed.id}/sessions`, { token: made.user.token })
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const [mail] = await server.mailsTo('renewed@example.org')
    expect(mail?.subject).toBe('In the next session')
    await page.getByText('Email sent successfully!').first().waitFor()
    await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).not.toBe(before)
    expect(opened.refusals).toEqual([])
  })
})

describe('a widget offers only what its session allows', () => {
  const buttons = async (page: Page) => {
    const names = await page
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))
    return names.map((name) => name.trim())
  }

  it('the mailbox manager, in a session opened with a secret key: reading and a test mail', async () => {
    mint()
    await using opened = await open(['config-manager'])
    const { page } = opened
    await page.getByText('sandbox@localhost').first().waitFor()
    await expect.poll(() => buttons(page)).toEqual(['Send a test from sandbox@localhost'])
    await expect.poll(() => page.getByRole('form', { name: 'New Config' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'New Config' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send a test from sandbox@localhost' }).click()
    await page.getByText('A test mail was sent from').waitFor()
    expect(opened.refusals).toEqual([])
  })

  it("the mailbox manager, in a user's session: all but the secret key", async () => {
    mint({}, made.user.token)
    await using opened = await open(['config-manager'])
    const { page } = opened
    await page.getByRole('button', { name: 'Pause sandbox@localhost' }).waitFor()
    await expect
      .poll(() => buttons(page))
      .toEqual([
        'Send a test from sandbox@localhost',
        'Pause sandbox@localhost',
        'Delete sandbox@localhost',
        'Add Config',
      ])
  })

  it('the composer, with the scope to send only: no templates', async () => {
    mint({ scopes: ['configs:read', 'mail:send'] })
    await using opened = await open(['compose'])
    const { page } = opened
    await sender(page, 'sandbox@localhost').waitFor({ state: 'attached' })
    await expect.poll(() => buttons(page)).not.toContain('Choose Template')
    await expect.poll(() => buttons(page)).not.toContain('Create Template')
    await expect.poll(() => buttons(page)).toContain('Launch Message')
  })

  it('the composer, without the scope to save: its template dialog has no create button', async () => {
    await saveTemplate('One of ours', false)
    mint({ scopes: ['configs:read', 'mail:send', 'templates:read'] })
    await using opened = await open(['compose'])
    const { page } = opened
    await sender(page, 'sandbox@localhost').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Choose Template' }).click()
    await page.getByRole('button', { name: /One of ours/ }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
  })

  it('the composer shows the remedy for a message that only a campaign could send', async () => {
    mint()
    await using opened = await open(['compose'])
    const { page } = opened
    await write(page, 'a@example.org', 'Hello {{name}}')
    const paste = 'email\tname\nb@example.org\tBo\nc@example.org\tCy'
    await page.getByLabel('Recipients', { exact: true }).evaluate((box, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true, cancelable: true }))
    }, paste)
    await page.getByText('c@example.org').first().waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const question = page.getByRole('button', { name: 'Send to 3' })
    await question.click()
    await page.getByText('From this page one message goes to at most 1,000 recipients').waitFor()
    expect(opened.refusals).toEqual([])
  })

  it('a failed message is shown as failed, without a retry', async () => {
    mint()
    await using opened = await open(['compose'])
    const { page } = opened
    await write(page, 'refused@example.org', 'Refused')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('region', { name: 'Progress' }).waitFor()
    await server.sql("update deliveries set state = 'failed' where recipient = $1", ['refused@example.org'])
    await expect.poll(() => buttons(page)).not.toContain('Retry 1 failed')
  })
})

describe('a template picker with the embed’s id alone', () => {
  it('shows public templates to every visitor, and passes the picked one to the page', async () => {
    made = await createTestEmbed(server, { allowed_origins: [host.url], popup_sign_in: false })
    await saveTemplate('For everybody', true)
    await saveTemplate('For us alone', false)
    await using opened = await open(['template-picker'], { tokenUrl: '' })
    const { page } = opened
    const card = page.getByRole('button', { name: /For everybody/ })
    await card.waitFor()
    await expect.poll(() => page.getByText('For us alone').count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Sign In' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
    const picked = page.evaluate(
      () =>
        new Promise((resolve) =>
          document.addEventListener('sendwright:template-picked', (event) => resolve((event as CustomEvent).detail)),
        ),
    )
    await card.click()
    expect(await picked).toMatchObject({ source: 'own', subject: 'For everybody', body: '<p>For everybody</p>' })
    await page.getByRole('button', { name: 'Global templates' }).click()
    await page.getByRole('list', { name: 'Global templates' }).getByRole('button').first().waitFor()
    expect(opened.refusals).toEqual([])
  })

  it('offers a sign-in when the embed allows it, and then shows the others too', async () => {
    await saveTemplate('For everybody', true)
    await saveTemplate('For us alone', false)
    await using opened = await open(['template-picker'], { tokenUrl: '' })
    const { page } = opened
    await page.getByRole('button', { name: /For everybody/ }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
    const opening = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Sign In' }).click()
    const popup = await opening
    await popup.getByLabel('Email').fill(made.user.email)
    await popup.getByLabel('Password').fill(made.user.password)
    await popup.getByRole('button', { name: 'Sign In' }).click()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('button', { name: /For us alone/ }).waitFor()
    await page.getByRole('button', { name: 'New', exact: true }).waitFor()
  })
})
