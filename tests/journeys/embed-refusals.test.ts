import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations, connectBrowser, fillText, openPage } from '../support/browser.ts'
import { waitForState } from '../support/embed-bench.ts'
import { startHostSite, type HostSite } from '../support/embed-site.ts'
import { createTestEmbed, siteOrigin, type TestEmbed } from '../support/embeds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let browser: Browser
let host: HostSite
beforeAll(async () => {
  ;[server, browser, host] = await Promise.all([startTestServer(), connectBrowser(), startHostSite()])
})
afterAll(async () => {
  await browser.close()
  await host[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const setStatus = ({ embed, user }: TestEmbed, status: 'active' | 'paused') =>
  server.call('PATCH', `/embeds/${embed.id}`, { token: user.token, body: { status } })

/** Where a page gets its sessions: through the popup, or from its own back end, which requests them for this origin. */
const ways = [
  ['a sign-in', null],
  ['a back end', 'page'],
  ['a back end that names another origin', siteOrigin],
] as const

interface Reported {
  id: string
  code: string
  state: string | undefined
}

/** Opens a page with a composer and a picker; `reported` are its `sendwright:error` events. */
async function open(site: TestEmbed, { id = site.embed.id, origin }: { id?: string; origin: string | null }) {
  host.on('/session', (_request, response) => {
    const named = origin === 'page' ? host.url : (origin ?? '')
    void site.open({ embed_id: id, origin: named }).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const token = origin === null ? '' : 'data-token-url="/session"'
  const script = `<script async src="${server.url}/embed/loader.js" data-embed="${id}" ${token}></script>`
  const widgets = ['compose', 'template-picker'].map(
    (name) => `<div id="${name}" data-sendwright="${name}"><a href="mailto:a@example.com">Write to ${name}</a></div>`,
  )
  host.on(
    '/',
    `<!doctype html><html lang="en"><title>Site</title><main><h1>Site</h1>${widgets.join('')}</main>${script}</html>`,
  )
  const opened = await openPage(browser, { allowFaults: /status of 4\d\d|CORS policy|ERR_FAILED|^Sendwright: / })
  const { page, faults } = opened
  await page.addInitScript(() => {
    const reported: Reported[] = []
    Object.assign(window, { reported })
    document.addEventListener('sendwright:error', ({ target, detail }: CustomEventInit & { target?: unknown }) => {
      const { id, dataset } = target as HTMLElement
      reported.push({ id, code: (detail as { code: string }).code, state: dataset['sendwrightState'] })
    })
  })
  await page.goto(host.url)
  const reported = () => page.evaluate(() => (window as unknown as { reported: Reported[] }).reported)
  return { ...opened, reported, lines: () => faults.filter((fault) => fault.startsWith('Sendwright: ')) }
}

/** Each widget shows the message once, beneath the element's own children, with the state `error` and the event. */
async function expectRefused(
  { page, reported }: { page: Page; reported: () => Promise<Reported[]> },
  code: string,
  sentence: string,
): Promise<void> {
  await waitForState(page, 'error', 2)
  for (const name of ['compose', 'template-picker']) {
    const widget = page.locator(`#${name}`)
    await widget.getByRole('alert').getByText(sentence).waitFor()
    await expect.poll(() => widget.getByRole('alert').filter({ hasText: sentence }).count()).toBe(1)
    await expect.poll(() => widget.getByText(`Write to ${name}`).isVisible()).toBe(true)
  }
  await expect.poll(() => page.getByLabel('Subject Line').isVisible()).toBe(false)
  const each = (id: string) => ({ id, code, state: 'error' })
  await expect
    .poll(async () => (await reported()).sort((one, other) => one.id.localeCompare(other.id)))
    .toEqual(['compose', 'template-picker'].map(each))
}

describe.each(ways)('a page with %s', (_way, origin) => {
  it('TRIAL-63 on an unregistered origin shows an error, with state and event, and one console message names origin and remedy', async () => {
    const site = await createTestEmbed(server)
    await using opened = await open(site, { origin })
    await expectRefused(
      opened,
      'origin',
      'The owner of the site must add its address to the allowed origins of the embed.',
    )
    expect(opened.lines()).toEqual([
      `Sendwright: ${host.url} is not among the allowed origins of the embed ${site.embed.id}. Add it in the dashboard, under Embeds.`,
    ])
    expect(await axeViolations(opened.page)).toEqual([])
  })
})

describe.each(ways.slice(0, 2))('a page with %s', (_way, origin) => {
  it('TRIAL-64 fires sendwright:error with code embed for an unknown id, and with code paused for a paused embed', async () => {
    const site = await createTestEmbed(server, { allowed_origins: [host.url] })
    {
      const id = `pk_${'x'.repeat(43)}`
      await using opened = await open(site, { id, origin })
      await expectRefused(opened, 'embed', 'This page names an embed that does not exist.')
      expect(opened.lines()).toEqual([expect.stringMatching(`${id}.*${host.url}.*under Embeds`)])
    }
    await setStatus(site, 'paused')
    await using opened = await open(site, { origin })
    await expectRefused(opened, 'paused', 'This is paused.')
    expect(opened.lines()).toEqual([expect.stringMatching(`${site.embed.id}.*${host.url}.*Resume it`)])
  })
})

it('a pause during composition keeps the draft, and the resumed embed sends it', async () => {
  const site = await createTestEmbed(server, { allowed_origins: [host.url] })
  await using opened = await open(site, { origin: 'page' })
  const { page, reported } = opened
  await waitForState(page, 'ready', 2)
  const compose = page.locator('#compose')
  await compose.locator('option', { hasText: 'sandbox@localhost' }).waitFor({ state: 'attached' })
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Subject Line').fill('Written before')
  await fillText(page, '<p>Dear friend</p>')
  await page.getByLabel('Recipients', { exact: true }).fill('ann@example.com')
  await page.getByLabel('Recipients', { exact: true }).press('Enter')
  await setStatus(site, 'paused')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await compose.getByText('This is paused.').first().waitFor()
  await waitForState(page, 'error', 2)
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Written before')
  await expect.poll(() => reported()).toContainEqual({ id: 'compose', code: 'paused', state: 'error' })
  await setStatus(site, 'active')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await page.getByText('Email sent successfully!').first().waitFor()
  await waitForState(page, 'ready', 2)
  await expect.poll(() => compose.getByText('This is paused.').count()).toBe(0)
})
