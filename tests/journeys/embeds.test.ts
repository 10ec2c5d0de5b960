import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillText, openPage, type OpenedPage, useBrowser } from '../support/browser.ts'
import { makePkce } from '../support/embeds.ts'
import { serveHostPage, type HostPage } from '../support/host-page.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
let opened: OpenedPage
let page: Page
let host: HostPage
let embedId: string
let session: string
const { verifier, challenge } = makePkce()
const noise = /Failed to load resource|blocked by CORS policy/

const server = await useServer()
const browser = await useBrowser()
beforeAll(async () => {
  user = await createUser(server)
  host = await serveHostPage('<!doctype html><title>Shop admin</title><h1>Shop admin</h1>')
  opened = await openPage(browser, { allowFaults: noise })
  page = opened.page
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

/** A call from the page's own script, subject to CORS: status and body, or the browser's error. */
function callFrom(from: Page, method: string, path: string, token: string, body?: object) {
  const call = { url: server.url + path, method, token, body: body && JSON.stringify(body) }
  return from.evaluate(async ({ url, method, token, body }) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    try {
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })

      return { status: answer.status, body: await answer.json() }
    } catch (error) {
      return { status: 0, body: String(error) }
    }
  }, call)
}

/** Opens the window as an embed does, and waits for the posted message. */
async function request(from: Page, query: Record<string, string> = {}) {
  const search = new URLSearchParams({
    embed: embedId,
    origin: new URL(from.url()).origin,
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scopes: 'configs:read mail:send',
    ...query,
  })
  const popup = from.waitForEvent('popup')
  await from.evaluate((url) => {
    const received: unknown[] = []
    Object.assign(window, { received })
    addEventListener('message', ({ origin, data }) => received.push({ origin, data: data as unknown }))
    open(url, '_blank', 'popup,width=480,height=720')
  }, `${server.url}/embed/authorize?${search.toString()}`)
  return popup
}
const heardIn = (from: Page) =>
  from.evaluate(() => (window as unknown as { received: { origin: string; data: Record<string, string> }[] }).received)

describe('a site owner', () => {
  it('creates an embed in the dashboard and sees its activity', async () => {
    await page.goto(`${server.url}/dashboard/embeds`)
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('link', { name: 'New embed' }).first().click()
    await page.getByLabel('Name').fill('Shop admin')
    await page.getByLabel('Allowed origins').fill(host.origin)
    await page.getByLabel('Mailbox manager').check()
    await page.getByRole('button', { name: 'Create embed' }).click()
    await page.getByRole('heading', { name: 'Shop admin', level: 1 }).waitFor()
    embedId = new URL(page.url()).hash.slice(1)
    const from = page.getByLabel('From')
    await from.selectOption({ label: 'sandbox@localhost · other' })
    await expect.poll(() => from.inputValue()).toMatch(/^eh_/)
    await page.getByLabel('Recipients', { exact: true }).fill('preview@example.org')
    await page.getByRole('button', { name: 'ADD+' }).click()
    await page.getByLabel('Subject Line').fill('From the preview')
    await fillText(page, '<p>It works</p>')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const [mail] = await server.mailsTo('preview@example.org')
    expect(mail?.subject).toBe('From the preview')
  })

  it('finds in the page only the snippet’s own id: no key, no token', async () => {
    const html = await page.evaluate(() => document.documentElement.outerHTML)
    expect(html).toContain(embedId)
    expect(html).not.toMatch(/ck_|at_[\w-]{20}|es_[\w-]{20}/)
  })
})

describe('a visitor of the site', () => {
  let shop: Page
  beforeAll(async () => {
    shop = await page.context().newPage()
    await shop.goto(host.origin)
  })

  it('allows the page in a consent window, and the page gets a code', async () => {
    const popup = await request(shop)
    await popup.getByText(host.origin, { exact: true }).waitFor()
    await popup.getByText('sandbox@localhost').waitFor()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Allow' }).click()
    await closed
    await expect.poll(() => heardIn(shop)).toHaveLength(1)
    const [message] = await heardIn(shop)
    expect(message).toMatchObject({
      origin: server.url,
      data: { type: 'sendwright:consent', state: 'state-1', code: expect.stringMatching(/^ec_/) as string },
    })
    const body = { embed_id: embedId, code: message?.data['code'], code_verifier: verifier }
    const traded = await callFrom(shop, 'POST', '/embed/token', '', body)
    expect(traded.status).toBe(200)
    session = (traded.body as { session_token: string }).session_token
    expect((await callFrom(shop, 'POST', '/embed/token', '', body)).status).toBe(400)
  })

  it('sends from the page, and the mail arrives', async () => {
    const mailboxes = await callFrom(shop, 'GET', '/email/configs', session)
    const alias = (mailboxes.body as { secret_key: string }[])[0]?.secret_key ?? ''
    const mail = { recipient_list: ['shop@example.org'], subject: 'From the shop', content: '<p>Hello</p>' }
    expect((await callFrom(shop, 'POST', `/email/send-mail/${alias}`, session, mail)).status).toBe(200)
    await server.mailsTo('shop@example.org')
  })

  it('H51 a page of another origin cannot read a response with the same session', async () => {
    await using other = await serveHostPage('<!doctype html><title>Elsewhere</title>')
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(other.origin)
    expect((await callFrom(elsewhere, 'GET', '/email/configs', session)).status).toBe(0)
    expect((await callFrom(elsewhere, 'GET', '/email/configs', user.token)).status).toBe(0)
    await elsewhere.close()
  })

  it('cannot read any other call from the page, not even with an access token', async () => {
    expect((await callFrom(shop, 'GET', '/auth/user', user.token)).status).toBe(0)
    expect((await callFrom(shop, 'GET', '/embeds', user.token)).status).toBe(0)
    expect((await callFrom(shop, 'GET', '/email/configs', user.token)).status).toBe(0)
    expect((await callFrom(shop, 'POST', '/embed/sessions', user.secretKey, {})).status).toBe(0)
  })

  it('H52 loses the session within a second after the owner ends it', async () => {
    // The list is fetched again when its window gets the focus.
    await page.bringToFront()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByText('No open sessions.').waitFor()
    expect((await callFrom(shop, 'GET', '/email/configs', session)).status).toBe(401)
  })

  it('H50 sees no consent for an origin that the embed does not allow', async () => {
    const popup = await request(shop, { origin: 'https://evil.example' })
    await popup.getByText('This page cannot be allowed').waitFor()
    await expect.poll(() => popup.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    await expect.poll(() => heardIn(shop)).toEqual([])
    await popup.close()
  })

  it('signs in within that window when signed out, and the page still gets its code', async () => {
    await using visitor = await openPage(browser, { allowFaults: noise })
    await visitor.page.goto(host.origin)
    const popup = await request(visitor.page)
    await popup.getByLabel('Email').fill(user.email)
    await popup.getByLabel('Password').fill(user.password)
    await popup.getByRole('button', { name: 'Sign In' }).click()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => heardIn(visitor.page)).toHaveLength(1)
    await expect.poll(async () => (await heardIn(visitor.page))[0]?.data['code']).toMatch(/^ec_/)
  })

  it('sees the remedy when the page isolates itself from its windows', async () => {
    await using cut = await serveHostPage('<!doctype html><title>Cut</title>', {
      'cross-origin-opener-policy': 'same-origin',
    })
    const alone = await page.context().newPage()
    await alone.goto(cut.origin)
    const next = page.context().waitForEvent('page')
    await alone.evaluate((url) => {
      open(url, '_blank', 'popup')
    }, `${server.url}/embed/authorize?embed=${embedId}&origin=${host.origin}&state=s&code_challenge=${challenge}&code_challenge_method=S256`)
    const window = await next
    await window.getByText('Cross-Origin-Opener-Policy: same-origin-allow-popups').waitFor()
    await Promise.all([window.close(), alone.close()])
  })

  it('finds the sent message with its sender in the activity', async () => {
    await page.reload()
    const table = page.getByRole('table', { name: 'Activity' })
    await table.getByRole('row', { name: /From the shop/ }).waitFor()
    await table.getByRole('row', { name: /From the preview.*preview/ }).waitFor()
  })
})
