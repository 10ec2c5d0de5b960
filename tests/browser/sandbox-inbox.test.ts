import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleSandboxMessage } from '../support/samples.ts'

const { browser, site } = await useDashboard()
const first = sampleSandboxMessage()
const second = sampleSandboxMessage({
  id: 'sbx_2',
  to: ['b@example.org'],
  subject: 'Second',
  html: null,
  text: 'Only text',
})
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('listSandboxMessages', ({ query }) => ({
    json: [first, second].filter((mail) => query.get('to') === null || mail.to.includes(query.get('to') ?? '')),
  }))
})

const open = (options: DashboardOptions = {}) => openDashboard(browser, site, { path: '/sandbox', ...options })
const frame = (page: Page) => page.frameLocator('iframe')

describe('/sandbox', () => {
  it('redirects to / when the server has no sandbox', async () => {
    site.on('listSandboxMessages', { status: 404, json: { detail: 'Nothing is here.' } })
    await using opened = await open()
    await opened.page.waitForURL(`${site.url}/`)
  })

  it('lists the mails and shows one as HTML, text, source and headers', async () => {
    await using opened = await open()
    const { page } = opened
    await frame(page).getByRole('heading', { name: 'The autumn show' }).waitFor()
    await page.getByRole('radio', { name: 'Text' }).check()
    await page.getByText('Dear friend, the doors open at six.').waitFor()
    await page.getByRole('radio', { name: 'Source' }).check()
    await page.getByText('From: studio@northwind.example').waitFor()
    await page.getByRole('radio', { name: 'Headers' }).check()
    await page.getByRole('term').filter({ hasText: 'subject' }).waitFor()
    await page.getByRole('button', { name: /Second/ }).click()
    await page.getByRole('radio', { name: 'HTML' }).check()
    await page.getByText('This mail has no HTML part.').waitFor()
  })

  it('shows only mails to an address, or an empty state', async () => {
    await using opened = await open()
    const { page } = opened
    const rows = page.getByRole('region', { name: 'Mails' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Recipient').fill('b@example.org')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('Recipient').fill('nobody@example.org')
    await page.getByText('No mails to this address.').waitFor()
  })

  it('refreshes automatically and manually', async () => {
    await using opened = await open()
    const { page } = opened
    await frame(page).getByRole('heading', { name: 'The autumn show' }).waitFor()
    const third = sampleSandboxMessage({ id: 'sbx_3', subject: 'Third' })
    site.on('listSandboxMessages', { json: [third, first, second] })
    await page.getByRole('button', { name: /Third/ }).waitFor()
    await page.getByRole('radio', { name: 'Manual' }).check()
    await expect.poll(() => site.received.map(({ path }) => path)).toContain('/sandbox/messages')
    site.on('listSandboxMessages', { json: [] })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('No mails yet').waitFor()
  })

  it('shows why the inbox could not be loaded, and can retry', async () => {
    site.on('listSandboxMessages', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open()
    await opened.page.getByText('The service is starting.').waitFor()
    site.on('listSandboxMessages', { json: [first] })
    await opened.page.getByRole('button', { name: 'Try Again' }).click()
    await frame(opened.page).getByRole('heading', { name: 'The autumn show' }).waitFor()
  })

  it('opens a link of a mail in a new window', async () => {
    site.on('listSandboxMessages', {
      json: [{ ...first, html: `<a href="${site.url}/email_confirm/cf_1">Confirm</a>` }],
    })
    await using opened = await open()
    const { page } = opened
    const popup = page.context().waitForEvent('page')
    await frame(page).getByRole('link', { name: 'Confirm' }).click()
    const confirmed = await popup
    await confirmed.getByRole('heading', { name: 'Email Confirmed!' }).waitFor()
    await expect.poll(() => confirmed.evaluate(() => window.opener === null)).toBe(true)
  })
})

describe('H44 a hostile mail in the frame', () => {
  it.each([
    '<script>parent.__pwned = 1</script>',
    '<img src=x onerror="parent.__pwned = 1">',
    '</iframe></body></html><script>parent.__pwned = 1</script>',
    '<iframe srcdoc="<script>parent.parent.__pwned = 1</script>"></iframe>',
    '<base href="https://evil.example/"><img src="a.png">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<link rel=stylesheet href="https://evil.example/a.css">',
    '<style>@import "https://evil.example/b.css"; body { background: url(https://evil.example/c.png) }</style>',
    '<p style="background: u\\72l(https://evil.example/d.png)">x</p>',
    '<body background="https://evil.example/e.png" onload="parent.__pwned = 1">x',
    '<form action="https://evil.example/"><input type=submit id=go></form>',
    '<a href="https://evil.example/" target=_top>x</a>',
    '<svg onload="parent.__pwned = 1"><image href="http://evil.example/f.png"/></svg>',
    '<object data="https://evil.example/g"></object><embed src="https://evil.example/h">',
  ])('H44 %s executes nothing and requests nothing', async (html) => {
    site.on('listSandboxMessages', { json: [{ ...first, html: `${html}<p>the end</p>` }] })
    await using opened = await open({ allowFaults: /./ })
    const { page } = opened
    const requested: string[] = []
    await page.route(/evil\.example/, (route) => {
      requested.push(route.request().url())
      return route.abort()
    })
    await page.reload()
    await frame(page).getByText('the end').waitFor()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await page.evaluate(() => '__pwned' in window)).toBe(false)
    expect(requested).toEqual([])
    await expect
      .poll(() => page.frames().map((one) => new URL(one.url()).pathname))
      .toEqual(['/sandbox', '/preview-frame'])
  })
})
