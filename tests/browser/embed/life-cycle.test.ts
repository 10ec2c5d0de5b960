import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()
const composer = '<div data-sendwright="compose" id="one"><a href="mailto:a@example.com">Write to us</a></div>'

async function open(body = composer, options: Parameters<typeof pageWith>[2] = {}, allowFaults?: RegExp) {
  bench.host.on('/', pageWith(bench.embed, body, options))
  const opened = await openPage(bench.browser, allowFaults ? { allowFaults } : {})
  await opened.page.goto(bench.host.url)
  return opened
}

async function write(page: Page): Promise<void> {
  await page.getByLabel('Subject Line').fill('Hello')
  await page.getByLabel('Message body').fill('Dear friend')
  await page.getByLabel('Recipients', { exact: true }).fill('a@example.com')
  await page.getByLabel('Recipients', { exact: true }).press('Enter')
  await page.getByLabel('From', { exact: true }).selectOption('eh_one')
}

describe('a page with the script and an element', () => {
  it('has a composer with an input, in place of the element’s own children', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').fill('Hello')
    await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(false)
    await expect
      .poll(() => page.locator('#one').evaluate((one) => one.innerHTML))
      .toBe('<a href="mailto:a@example.com">Write to us</a>')
  })

  it('shows the element’s own children until the widget’s first commit, and has the loading state until then', async () => {
    await using opened = await openPage(bench.browser)
    const { page } = opened
    bench.host.on('/', pageWith(bench.embed, composer))
    const gate = Promise.withResolvers<undefined>()
    await page.route('**/compose-*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(bench.host.url)
    await waitForState(page, 'loading')
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(true)
    gate.resolve(undefined)
    await waitForState(page, 'ready')
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(false)
  })

  it('shows every visitor the element’s own children when scripts are disabled', async () => {
    bench.host.on('/', pageWith(bench.embed, composer))
    await using opened = await openPage(bench.browser, { javaScriptEnabled: false })
    await opened.page.goto(bench.host.url)
    await expect.poll(() => opened.page.getByText('Write to us').isVisible()).toBe(true)
  })

  it('sends, and dispatches events that bubble from the element', async () => {
    await using opened = await open()
    const { page } = opened
    await waitForState(page, 'ready')
    await page.evaluate(() => {
      const seen: unknown[] = []
      Object.assign(window, { seen })
      for (const name of ['before-send', 'message-sent'])
        window.sendwright!.on(name, (event) =>
          seen.push([name, (event.target as Element).id, event.composed, event.detail]),
        )
    })
    await write(page)
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.waitForFunction(() => (window as unknown as { seen: unknown[] }).seen.length === 2)
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { seen: unknown[] }).seen))
      .toEqual([
        ['before-send', 'one', true, { recipients: ['a@example.com'], subject: 'Hello' }],
        ['message-sent', 'one', true, { id: 'msg_1', kind: 'message', accepted: 1 }],
      ])
    await page.getByText('Email sent successfully!').first().waitFor()
  })

  it('holds a message back when the page cancels before-send, and keeps the draft', async () => {
    await using opened = await open()
    const { page } = opened
    await waitForState(page, 'ready')
    await page.evaluate(() => document.addEventListener('sendwright:before-send', (event) => event.preventDefault()))
    await write(page)
    const before = bench.embed.api.received.filter((one) => one.path.startsWith('/email/send-mail')).length
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByText('This page stopped the message.').waitFor()
    await expect
      .poll(() => bench.embed.api.received.filter((one) => one.path.startsWith('/email/send-mail')).length)
      .toBe(before)
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
  })
})

describe('a page that changes', () => {
  it('receives no toast from an unmounted widget', async () => {
    await using opened = await open()
    const { page } = opened
    const requested = Promise.withResolvers<null>()
    const resume = Promise.withResolvers<null>()
    await page.route('**/toasts-*.js', async (route) => {
      requested.resolve(null)
      await resume.promise
      await route.continue()
    })
    await waitForState(page, 'ready')
    await write(page)
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await requested.promise
    await page.evaluate(() => document.querySelector('[data-sendwright]')?.remove())
    resume.resolve(null)
    const link = page.locator('link[href*="/toasts-"]')
    await link.waitFor({ state: 'attached' })
    // A second import in the page has run.
    await page.evaluate(`import(${JSON.stringify(await link.getAttribute('href'))}).then(() => 0)`)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  })

  it('mounts added elements and unmounts removed ones', async () => {
    await using opened = await open('')
    const { page } = opened
    await page.waitForFunction(() => window.sendwright)
    await page.evaluate(() => {
      const box = document.createElement('section')
      const element = Object.assign(document.createElement('div'), { id: 'late', textContent: 'fallback' })
      element.dataset['sendwright'] = 'compose'
      box.append(element)
      document.body.append(box)
    })
    await page.getByLabel('Subject Line').fill('Hello')
    const state = await page.evaluate(async () => {
      const element = document.querySelector<HTMLElement>('#late')!
      element.remove()
      await new Promise(requestAnimationFrame)
      return [element.dataset['sendwrightState'], element.shadowRoot?.innerHTML]
    })
    expect(state).toEqual([undefined, '<slot></slot>'])
  })

  it('keeps the draft of an element that is moved', async () => {
    await using opened = await open(`${composer}<section></section>`)
    const { page } = opened
    await page.getByLabel('Subject Line').fill('Hello')
    await page.evaluate(() => document.querySelector('section')!.append(document.querySelector('#one')!))
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
  })

  it('applies changed attributes in place, and remounts when the widget name changes', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').fill('Hello')
    await page.locator('#one').evaluate((one) => one.setAttribute('data-sendwright-accent', 'rgb(200, 0, 0)'))
    const launch = page.getByRole('button', { name: 'Bold' })
    const accent = () => launch.evaluate((one) => getComputedStyle(one).getPropertyValue('--sw-color-accent'))
    await expect.poll(accent).toBe('rgb(200, 0, 0)')
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
    await page.locator('#one').evaluate((one) => one.setAttribute('data-sendwright', 'config-manager'))
    await page.getByLabel('App Password').waitFor()
    await expect.poll(() => page.getByLabel('Subject Line').count()).toBe(0)
  })

  it('works in a body that replaces the whole body', async () => {
    await using opened = await open()
    const { page } = opened
    await waitForState(page, 'ready')
    await page.evaluate(() => {
      const body = document.createElement('body')
      const element = document.createElement('div')
      element.dataset['sendwright'] = 'compose'
      body.append(element)
      document.body.replaceWith(body)
    })
    await page.getByLabel('Subject Line').fill('In the new body')
    await waitForState(page, 'ready')
  })

  it('leaves nothing when the element is removed while it loads', async () => {
    await using opened = await openPage(bench.browser)
    const { page } = opened
    bench.host.on('/', pageWith(bench.embed, composer))
    const gate = Promise.withResolvers<undefined>()
    await page.route('**/compose-*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(bench.host.url)
    await waitForState(page, 'loading')
    const came = page.waitForEvent('requestfinished', (request) => request.url().includes('/compose-'))
    const removed = await page.evaluateHandle(() => {
      const element = document.querySelector('#one')!
      element.remove()
      return element
    })
    gate.resolve(undefined)
    await came
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await expect
      .poll(() => removed.evaluate((one) => [one.shadowRoot, one.getAttribute('data-sendwright-state')]))
      .toEqual([null, null])
  })
})

describe('several widgets', () => {
  it('share one session on one page', async () => {
    let requested = 0
    bench.host.on('/counted', (_request, response) => {
      requested += 1
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify({ session_token: 'es_one', expires_at: new Date(Date.now() + 900_000).toISOString() }),
      )
    })
    const body = `${composer}<div data-sendwright="compose"></div><div data-sendwright="config-manager"></div>`
    bench.host.on('/', pageWith(bench.embed, body).replace('/session', '/counted'))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 3)
    await page.getByText('studio@northwind.example').nth(2).waitFor({ state: 'attached' })
    await expect.poll(() => requested).toBe(1)
  })

  it('load only near the viewport, when the page requests lazy loading', async () => {
    const far =
      '<div style="height: 5000px"></div><div id="far" data-sendwright="compose" data-sendwright-load="visible"></div>'
    await using opened = await open(far)
    const { page } = opened
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await waitForState(page, 'loading')
    expect(calls.filter((url) => url.includes('/core-'))).toEqual([])
    await page.evaluate(() => scrollTo(0, 5000))
    await page.getByLabel('Subject Line').waitFor()
  })
})

describe('the page’s own script', () => {
  it('can call before the loader has loaded: calls are replayed in order', async () => {
    const early = `<script>window.sendwright = { q: [['on', 'ready', () => (window.isReady = true)]] };
      addEventListener('DOMContentLoaded', () => window.sendwright.q.push(['mount', document.querySelector('#plain'), 'compose', { subject: 'From the page' }]))</script>`
    await using opened = await open('<div id="plain"></div>', { head: early })
    const { page } = opened
    await waitForState(page, 'ready')
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('From the page')
    await expect.poll(() => page.evaluate(() => (window as unknown as { isReady: boolean }).isReady)).toBe(true)
  })

  it('mounts, updates, unmounts and destroys', async () => {
    await using opened = await open('<div id="plain">fallback</div>')
    const { page } = opened
    await page.waitForFunction(() => window.sendwright)
    await expect.poll(() => page.evaluate(() => window.sendwright!.version)).toBe(bench.embed.version)
    await page.evaluate(() => window.sendwright!.mount(document.querySelector('#plain')!, 'compose'))
    await waitForState(page, 'ready')
    await page.evaluate(() =>
      window.sendwright!.update(document.querySelector('#plain')!, { accent: 'rgb(0, 0, 200)' }),
    )
    const frame = page.locator('#plain').getByRole('button', { name: 'Bold' })
    await expect
      .poll(() => frame.evaluate((one) => getComputedStyle(one).getPropertyValue('--sw-color-accent')))
      .toBe('rgb(0, 0, 200)')
    await page.evaluate(() => window.sendwright!.unmount(document.querySelector('#plain')!))
    await expect.poll(() => page.getByText('fallback').isVisible()).toBe(true)
    await page.evaluate(() => window.sendwright!.mount(document.querySelector('#plain')!, 'compose'))
    await waitForState(page, 'ready')
    await page.evaluate(() => window.sendwright!.destroy())
    await expect.poll(() => page.evaluate(() => window.sendwright)).toBe(undefined)
    await expect.poll(() => page.getByText('fallback').isVisible()).toBe(true)
  })

  it('provides its own sessions, and finds widgets inside its shadow roots', async () => {
    const script = `<script>window.sendwright = { q: [['auth', () => { window.asked = (window.asked ?? 0) + 1; return Promise.resolve({ session_token: 'es_own', expires_at: new Date(Date.now() + 9e5).toISOString() }) }]] }</script>`
    await using opened = await open('<div id="outer"></div>', { head: script })
    const { page } = opened
    await page.waitForFunction(() => window.sendwright?.version)
    bench.embed.api.received.length = 0
    await page.evaluate(() => {
      const root = document.querySelector('#outer')!.attachShadow({ mode: 'open' })
      const element = document.createElement('div')
      element.dataset['sendwright'] = 'compose'
      root.append(element)
      window.sendwright!.scan(root)
    })
    await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
    const [configs] = bench.embed.api.received.filter((one) => one.path === '/email/configs')
    expect(configs?.headers.authorization).toBe('Bearer es_own')
    await expect.poll(() => page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1)
  })
})

it('keeps the first of two script tags, of any version, and logs it once', async () => {
  const second = `<script async src="${bench.embed.url}/embed/${bench.embed.version}/loader.js" data-embed="pk_other"></script>`
  await using opened = await open(`${composer}${second}`, {}, /Sendwright is here twice/)
  const { page, faults } = opened
  await waitForState(page, 'ready')
  await expect.poll(() => faults.length).toBe(1)
  await expect.poll(() => page.getByLabel('Subject Line').count()).toBe(1)
})
