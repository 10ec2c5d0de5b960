import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { loaderFiles } from '../../../contract/embed/embed-files.ts'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { setDefaultResponses, cors, pageWith, sessionAnswer, type LoaderFile } from '../../support/embed-site.ts'

const bench = embedBench()
beforeEach(() => setDefaultResponses(bench.embed.api))
const fallback = '<a href="mailto:a@example.com">Write to us</a>'
const composer = (attributes = '') => `<div id="one" data-sendwright="compose" ${attributes}>${fallback}</div>`

async function open(
  body: string,
  allowFaults = /(?!)/,
  options: Parameters<typeof pageWith>[2] & { csp?: string } = {},
) {
  const html = pageWith(bench.embed, body, options)
  bench.host.on('/', { html, headers: options.csp ? { 'Content-Security-Policy': options.csp } : {} })
  const opened = await openPage(bench.browser, { allowFaults })
  await opened.page.addInitScript(() => {
    const reported: unknown[] = []
    Object.assign(window, { reported })
    document.addEventListener('sendwright:error', (event) => reported.push((event as CustomEvent).detail))
  })
  return opened
}
/** Generous for a busy machine. */
const patience = { timeout: 40_000 }
/** The text in the fallback. */
const sentence = (page: Page) => page.locator('[data-sendwright]').evaluate((one) => one.shadowRoot?.textContent)
const reported = () => (window as unknown as { reported: { code: string; message: string }[] }).reported

describe('invalid attributes of an element', () => {
  const cases: [string, string, string, string][] = [
    [
      'an unknown widget',
      `<div data-sendwright="chat">${fallback}</div>`,
      'unknown-widget',
      'Sendwright has no widget “chat”.',
    ],
    [
      'a name of Object’s own',
      `<div data-sendwright="constructor">${fallback}</div>`,
      'unknown-widget',
      'Sendwright has no widget “constructor”.',
    ],
    [
      'a theme that there is none of',
      composer('data-sendwright-theme="pink"'),
      'bad-option',
      'Sendwright: the option “theme” takes light, dark or auto.',
    ],
    [
      'an accent that is no colour',
      composer('data-sendwright-accent="blueish"'),
      'bad-option',
      'Sendwright: the option “accent” takes a colour, such as #0f6b4f.',
    ],
    [
      'a radius in words',
      composer('data-sendwright-radius="round"'),
      'bad-option',
      'Sendwright: the option “radius” takes pixels, from 0 to 99.',
    ],
    [
      'an unknown part to hide',
      composer('data-sendwright-hide="everything"'),
      'bad-option',
      'Sendwright: the option “hide” takes preview, templates, test-send, snippets, from, recipients or subject, several with commas between.',
    ],
    [
      'a context that is no JSON',
      composer(`data-sendwright-context="{name: 'Ann'}"`),
      'bad-option',
      'Sendwright: the option “context” takes a JSON object of texts, such as {"name":"Ann"}.',
    ],
    [
      'a place that holds no widget',
      `<button data-sendwright="compose">${fallback}</button>`,
      'place',
      'A widget cannot be inside <button>; use a <div>.',
    ],
  ]
  for (const [name, body, code, message] of cases) {
    it(`leave the page unchanged: ${name}`, async () => {
      await using opened = await open(body)
      const { page } = opened
      await page.goto(bench.host.url)
      await waitForState(page, 'error')
      await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(true)
      await expect.poll(() => page.evaluate(reported)).toEqual([{ code, message }])
      if (code !== 'place') await expect.poll(() => sentence(page)).toBe(message)
    })
  }

  it('are corrected later: the widget mounts', async () => {
    await using opened = await open(composer('data-sendwright-theme="pink"'))
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'error')
    await page.locator('#one').evaluate((one) => one.setAttribute('data-sendwright-theme', 'light'))
    await page.getByLabel('Subject Line').fill('Hello')
  })

  it('keep a mounted widget when a valid attribute becomes invalid, and log an error', async () => {
    await using opened = await open(composer())
    const { page } = opened
    await page.goto(bench.host.url)
    await page.getByLabel('Subject Line').fill('Hello')
    await page.locator('#one').evaluate((one) => one.setAttribute('data-sendwright-radius', 'round'))
    await page.waitForFunction(() => (window as unknown as { reported: unknown[] }).reported.length === 1)
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
  })
})

describe('H48 a secret in the page', () => {
  for (const [name, body, script] of [
    ['on the element', composer('data-sendwright-token="at_very-secret"'), ''],
    ['on the element, without our prefix', composer('token="ck_very-secret"'), ''],
    ['on the script', composer(), 'data-key=" ck_very-secret"'],
  ] as const) {
    it(`H48 is refused and not repeated: ${name}`, async () => {
      await using opened = await open(body, undefined, { script })
      const { page } = opened
      const printed: string[] = []
      page.on('console', (message) => printed.push(message.text()))
      bench.embed.api.received.length = 0
      await page.goto(bench.host.url)
      await waitForState(page, 'error')
      await expect.poll(async () => (await page.evaluate(reported)).map(({ code }) => code)).toEqual(['secret'])
      const errors = await page.evaluate(reported)
      expect(JSON.stringify([errors, printed])).not.toContain('very-secret')
      await expect
        .poll(() => page.locator('#one').evaluate((one) => one.shadowRoot?.textContent))
        .not.toContain('very-secret')
      expect(bench.embed.api.received).toEqual([])
    })
  }

  it('H48 is refused as a session provided by the page', async () => {
    bench.host.on('/secret', sessionAnswer('at_very-secret'))
    await using opened = await open(composer('data-sendwright-token-url="/secret"'))
    const { page } = opened
    bench.embed.api.received.length = 0
    await page.goto(bench.host.url)
    await expect.poll(() => page.evaluate(reported), patience).toMatchObject([{ code: 'session' }])
    expect(bench.embed.api.received).toEqual([])
    expect(await page.content()).not.toContain('very-secret')
  })
})

describe('files that fail to load', () => {
  it('are requested again, and the widget mounts', async () => {
    await using opened = await open(composer(), /Failed to load resource/)
    const { page } = opened
    let failed = 0
    await page.route('**/core-*.js', (route) => ((failed += 1) === 1 ? route.abort() : route.continue()))
    await page.goto(bench.host.url)
    await page.getByLabel('Subject Line').fill('Hello')
    expect(failed).toBeGreaterThan(1)
  })

  it('leave the fallback with an error text, and load once the connection is back', async () => {
    await using opened = await open(composer(), /Failed to load resource/)
    const { page } = opened
    await page.clock.install()
    await page.route('**/core-*.js', (route) => route.abort())
    await page.goto(bench.host.url)
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return page.locator('#one').getAttribute('data-sendwright-state')
      }, patience)
      .toBe('error')
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(true)
    await expect.poll(() => sentence(page)).toBe('This could not be loaded. Check the connection.')
    await expect.poll(() => page.evaluate(reported)).toMatchObject([{ code: 'load' }])
    await page.unroute('**/core-*.js')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.clock.runFor(1000)
    await page.getByLabel('Subject Line').fill('Hello')
  })

  it('are never executed when their hash is unknown, also after a retry', async () => {
    await using opened = await open(composer(), /integrity|Failed to load resource/)
    const { page } = opened
    await page.clock.install()
    let served = 0
    await page.route('**/kit-*.js', async (route) => {
      served += 1
      const response = await route.fetch()
      await route.fulfill({ response, body: `window.tampered = true;${await response.text()}` })
    })
    await page.goto(bench.host.url)
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return page.locator('#one').getAttribute('data-sendwright-state')
      }, patience)
      .toBe('error')
    expect(served).toBe(3)
    expect(await page.evaluate(() => 'tampered' in window)).toBe(false)
  })

  it('are never executed when they are needed later', async () => {
    await using opened = await open(composer(), /integrity|Failed to load resource/)
    const { page } = opened
    await page.route('**/writing-aids-*.js', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `window.tampered = true;${await response.text()}` })
    })
    await page.goto(bench.host.url)
    const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'))
    await page.getByLabel('Message body').fill('Dear friend')
    await refused
    expect(await page.evaluate(() => 'tampered' in window)).toBe(false)
    await expect.poll(() => page.getByLabel('Message body').inputValue()).toBe('Dear friend')
  })

  it('and hang keep the fallback, time out and are requested again', async () => {
    await using opened = await open(composer(), /Failed to load resource/)
    const { page } = opened
    await page.addInitScript(() => {
      // Twenty seconds of the loader take half a second here.
      const own = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = (ms) => own(ms / 40)
    })
    let requested = 0
    await page.route('**/core-*.js', (route) => ((requested += 1) === 1 ? undefined : route.continue()))
    await page.goto(bench.host.url)
    await waitForState(page, 'loading')
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(true)
    await page.getByLabel('Subject Line').fill('Hello')
    await expect.poll(() => requested).toBeGreaterThan(1)
    expect(await page.evaluate(reported)).toEqual([])
  })

  it('and contain HTML instead of a script are never executed and leave the fallback with an error text', async () => {
    await using opened = await open(composer(), /integrity|Failed to load resource/)
    const { page } = opened
    await page.clock.install()
    const html = { contentType: 'text/html', headers: cors, body: '<!doctype html><title>Sign in</title>' }
    await page.route('**/compose-*.js', (route) => route.fulfill(html))
    await page.goto(bench.host.url)
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return page.locator('#one').getAttribute('data-sendwright-state')
      }, patience)
      .toBe('error')
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(true)
    await expect.poll(() => sentence(page)).toBe('This could not be loaded. Check the connection.')
  })

  it('have a hash for each built file: none is fetched without it', async () => {
    const folder = join(import.meta.dirname, '../../../dist/embed')
    const names = Object.keys(bench.embed.integrity).filter((name) => !loaderFiles.includes(name as LoaderFile))
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) expect(await readFile(join(folder, name), 'utf8'), name).not.toMatch(/\bimport\s*\(/)
  })
})

describe('a page with a strict policy', () => {
  const strict = (nonce: string) =>
    `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'none'; img-src https:; connect-src 'self' ${bench.embed.url}; require-trusted-types-for 'script'; trusted-types dompurify; base-uri 'none'`

  it('holds a working widget, preview included: the nonce is set on every file', async () => {
    await using opened = await open(composer(), undefined, { csp: strict('abc'), script: 'nonce="abc"' })
    const { page } = opened
    await page.goto(bench.host.url)
    await page.getByLabel('Message body').fill('<p style="color: rgb(200, 0, 0)">Dear friend</p>')
    const mail = page.getByRole('document', { name: 'Message' }).getByText('Dear friend')
    await mail.waitFor()
    await expect.poll(() => mail.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(200, 0, 0)')
  })

  it('that does not allow our origin keeps its fallback', async () => {
    const csp = "default-src 'self'; script-src 'self'"
    await using opened = await open(composer(), /Content Security Policy/, { csp })
    const { page } = opened
    await page.goto(bench.host.url)
    await expect.poll(() => page.getByText('Write to us').isVisible()).toBe(true)
  })
})

describe('the site’s sessions', () => {
  it('show an error in the widget when the site’s own function fails', async () => {
    const body =
      '<script>(window.sendwright ??= { q: [] }).q?.push(["auth", () => Promise.reject(new Error("down"))])</script><div data-sendwright="config-manager"></div>'
    await using opened = await open(body)
    const { page } = opened
    await page.goto(bench.host.url)
    await page.getByRole('button', { name: 'Try Again' }).waitFor()
    await page.getByLabel('Email address').fill('typed@example.com')
  })

  it('explain the remedy when the site refuses one, and are requested again on a retry', async () => {
    let status = 401
    bench.host.on('/moody', (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ session_token: 'es_one', expires_at: new Date(Date.now() + 9e5).toISOString() }))
    })
    await using opened = await open(composer('data-sendwright-token-url="/moody"'), /401/)
    const { page } = opened
    await page.goto(bench.host.url)
    await expect.poll(() => page.evaluate(reported), patience).toMatchObject([{ code: 'session' }])
    await page.getByLabel('Subject Line').fill('Hello')
    status = 200
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
  })

  for (const [name, answer] of [
    ['a page of HTML', '<!doctype html><title>Sign in</title>'],
    ['nothing of use', { html: '{}', headers: { 'Content-Type': 'application/json' } }],
  ] as const) {
    it(`explain the remedy when the site responds with ${name}`, async () => {
      bench.host.on('/odd', answer)
      await using opened = await open(composer('data-sendwright-token-url="/odd"'))
      const { page } = opened
      await page.goto(bench.host.url)
      await expect.poll(() => page.evaluate(reported), patience).toMatchObject([{ code: 'session' }])
      await page.getByLabel('Subject Line').fill('Typed all the same')
    })
  }

  it('are renewed once after expiry during composition: the draft is kept and sent', async () => {
    let requested = 0
    bench.host.on('/counted', (_request, response) => {
      requested += 1
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const expires = new Date(Date.now() + 9e5).toISOString()
      response.end(JSON.stringify({ session_token: `es_${requested}`, expires_at: expires }))
    })
    await using opened = await open(composer('data-sendwright-token-url="/counted"'), /401/)
    const { page } = opened
    await page.goto(bench.host.url)
    await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
    await page.getByLabel('Subject Line').fill('Hello')
    await page.getByLabel('Message body').fill('Dear friend')
    await page.getByLabel('Recipients', { exact: true }).fill('a@example.com')
    await page.getByLabel('Recipients', { exact: true }).press('Enter')
    await page.getByLabel('From', { exact: true }).selectOption('eh_one')
    const accepted = { message: 'Email sent successfully to 1 recipient', id: 'msg_1', accepted: 1, suppressed: 0 }
    bench.embed.api.on('sendMailWithKey', ({ headers }) =>
      headers.authorization === 'Bearer es_1'
        ? { status: 401, json: { detail: 'The session has ended.' }, headers: cors }
        : { json: accepted, headers: cors },
    )
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByText('Email sent successfully!').first().waitFor()
    await expect.poll(() => requested).toBe(2)
  })

  it('H52 are renewed once for twenty concurrent calls', async () => {
    let requested = 0
    bench.host.on('/counted', (_request, response) => {
      requested += 1
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const expires = new Date(Date.now() + 9e5).toISOString()
      response.end(JSON.stringify({ session_token: `es_${requested}`, expires_at: expires }))
    })
    bench.embed.api.on('listEmailConfigs', ({ headers }) =>
      headers.authorization === 'Bearer es_1'
        ? { status: 401, json: { detail: 'The session has ended.' }, headers: cors }
        : { json: [], headers: { 'X-Total-Count': '0', ...cors } },
    )
    const body = Array.from({ length: 20 }, () => composer('data-sendwright-token-url="/counted"')).join('')
    await using opened = await open(body, /401/)
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 20)
    await expect.poll(() => page.getByText('No email configurations found').count(), patience).toBe(20)
    await expect.poll(() => requested).toBe(2)
  })

  it('are renewed before they expire', async () => {
    let requested = 0
    bench.host.on('/counted', (_request, response) => {
      requested += 1
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const expires = new Date(Date.now() + 3000).toISOString()
      response.end(JSON.stringify({ session_token: `es_${requested}`, expires_at: expires }))
    })
    await using opened = await open(composer('data-sendwright-token-url="/counted"'))
    const { page } = opened
    await page.goto(bench.host.url)
    await expect.poll(() => requested).toBeGreaterThan(1)
  })
})

describe('the API', () => {
  for (const [name, reply] of [
    ['is down', { hangUp: true }],
    ['answers an error', { status: 500, json: { detail: 'Something went wrong on our side.' }, headers: cors }],
  ] as const) {
    it(`${name}: the input is kept, and a retry is offered`, async () => {
      bench.embed.api.on('listEmailConfigs', reply)
      await using opened = await open(composer(), /Failed to load resource/)
      const { page } = opened
      await page.goto(bench.host.url)
      await page.getByLabel('Subject Line').fill('Hello')
      await page.getByRole('button', { name: 'Try Again' }).waitFor()
      await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
    })
  }
})

it('that is slow leaves the composer usable and offers a retry after twenty seconds', async () => {
  const gate = Promise.withResolvers<undefined>()
  await using opened = await open(composer(), /ERR_/)
  const { page } = opened
  await page.clock.install()
  let requested = 0
  await page.route('**/email/configs?*', async (route) => {
    requested += 1
    if (requested === 1) await gate.promise
    await route.continue().catch(() => undefined) // Timed out by then.
  })
  await page.goto(bench.host.url)
  const once = page.waitForRequest('**/email/configs?*')
  await expect
    .poll(async () => {
      await page.clock.runFor(10)
      return page.locator('#one').getAttribute('data-sendwright-state')
    }, patience)
    .toBe('ready')
  await page.getByLabel('Subject Line').fill('Hello')
  await once
  const retry = page.getByRole('button', { name: 'Try Again' })
  await page.clock.runFor(19_000)
  await expect.poll(() => retry.count()).toBe(0)
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return retry.count()
    }, patience)
    .toBe(1)
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
  await retry.click()
  await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
  gate.resolve(undefined)
})

it('that responds with HTML leaves the input unchanged', async () => {
  bench.embed.api.on('listEmailConfigs', { text: '<!doctype html>', headers: { 'Content-Type': 'text/html', ...cors } })
  await using opened = await open(composer())
  const { page } = opened
  await page.goto(bench.host.url)
  await page.getByLabel('Subject Line').fill('Hello')
  await page.getByText('No email configurations found').waitFor({ state: 'attached' })
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Hello')
})

it('H49 works in a page with patched built-ins and a clobbered document, and exposes no token', async () => {
  const hostile = `<script>
    for (const name of ['map', 'filter', 'forEach', 'find']) {
      const own = Array.prototype[name];
      Array.prototype[name] = function (...given) { return own.apply(this, given) };
    }
    Array.prototype.extra = 'enumerable'; Object.prototype.extra = 'enumerable';
    customElements.define('sendwright-compose', class extends HTMLElement {});
  </script>`
  const clobber = '<form id="sendwright"><input name="version"></form><a id="fetch"></a><a id="customElements"></a>'
  await using opened = await open(`${clobber}${composer()}`, undefined, { head: hostile })
  const { page } = opened
  await page.goto(bench.host.url)
  await page.getByLabel('Message body').fill('Dear friend')
  await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
  await expect.poll(() => page.evaluate(() => document.documentElement.outerHTML)).not.toContain('es_one')
})

it('H49 reads its own tag where an image clobbers document.currentScript', async () => {
  const picture = `<img name="currentScript" alt="" src="${bench.embed.url}/embed/none.png" data-token-url="/stolen">`
  const requested: string[] = []
  bench.host.on('/stolen', (_request, response) => {
    requested.push('/stolen')
    response.writeHead(404).end()
  })
  await using opened = await open(`${picture}${composer()}`, /404/)
  const { page } = opened
  await page.goto(bench.host.url)
  await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
  expect(requested).toEqual([])
})
