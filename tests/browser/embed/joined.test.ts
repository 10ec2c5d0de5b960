import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { embedWidgets } from '../../../contract/embed/embed-scopes.ts'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { setDefaultResponses, cors, pageWith, type LoaderFile } from '../../support/embed-site.ts'

const bench = embedBench()
beforeEach(() => {
  setDefaultResponses(bench.embed.api)
  for (const list of ['getEmailTemplates', 'listDocuments'] as const)
    bench.embed.api.on(list, { json: [], headers: { 'X-Total-Count': '0', ...cors } })
})
const element = (widget: string) => `<div data-sendwright="${widget}"></div>`

async function open(body: string, loader: LoaderFile, allowFaults?: RegExp) {
  bench.host.on('/', pageWith(bench.embed, body, { loader }))
  const opened = await openPage(bench.browser, allowFaults ? { allowFaults } : {})
  const files: string[] = []
  opened.page.on('request', (request) => {
    const [, file] = /\/embed\/(?:\d[^/]+\/)?(.+\.js)$/.exec(request.url()) ?? []
    if (file !== undefined) files.push(file)
  })
  return { ...opened, files }
}

/** Replaces the loader in the page by another one. */
async function replaceLoader(page: Page, loader: LoaderFile): Promise<void> {
  await page.evaluate((address) => {
    window.sendwright?.destroy()
    const script = document.createElement('script')
    script.dataset['embed'] = 'pk_test'
    script.dataset['tokenUrl'] = '/session'
    document.head.append(Object.assign(script, { src: address }))
  }, `${bench.embed.url}/embed/${loader}`)
}

/** Writes a message, previews and sends it, so that most lazy chunks are loaded. */
async function writeAndSend(page: Page): Promise<void> {
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Subject Line').fill('Doors open Thursday')
  await page.getByLabel('Message body').fill('<p>Dear friend</p>')
  await page.getByRole('document', { name: 'Message' }).getByText('Dear friend').waitFor()
  const recipients = page.getByLabel('Recipients', { exact: true })
  await recipients.fill('a@example.com')
  await recipients.press('Enter')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await page.getByRole('status').filter({ hasText: 'Sent to 1 of 1' }).waitFor()
}

describe('a loader that includes a widget', () => {
  for (const widget of embedWidgets) {
    it(`shows ${widget} from one file when all other files fail`, async () => {
      await using opened = await open(element(widget), `${widget}.js`, /ERR_FAILED/)
      const { page, files } = opened
      await page.route('**/joined/**', (route) => route.abort())
      await page.goto(bench.host.url)
      await waitForState(page, 'ready')
      expect(files.filter((file) => !file.startsWith('joined/'))).toEqual([`${widget}.js`])
    })
  }

  it('shows another widget when its own is not in the page', async () => {
    await using opened = await open(element('template-picker'), 'compose.js')
    const { page } = opened
    await page.goto(bench.host.url)
    await page.getByText('No templates yet').waitFor()
  })

  it('previews and sends with its lazy chunks, beside another widget', async () => {
    await using opened = await open(element('compose') + element('config-manager'), 'compose.js')
    const { page } = opened
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 2)
    await writeAndSend(page)
  })

  it.each(['compose.js', 'config-manager.js', 'loader.js'] as const)(
    'leaves nothing behind that breaks the next loader: %s after it',
    async (next) => {
      await using opened = await open(element('compose'), 'compose.js')
      const { page } = opened
      await page.goto(bench.host.url)
      await waitForState(page, 'ready')
      await writeAndSend(page)
      await replaceLoader(page, next)
      await waitForState(page, 'ready')
      await writeAndSend(page)
    },
  )

  it('requests a session once, before its chunk has loaded', async () => {
    let askedCount = 0
    const requested = Promise.withResolvers<null>()
    bench.host.on('/counted', (_request, response) => {
      askedCount += 1
      requested.resolve(null)
      const expires_at = new Date(Date.now() + 900_000).toISOString()
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ session_token: 'es_one', expires_at }))
    })
    const gate = Promise.withResolvers<null>()
    await using opened = await open(
      '<div data-sendwright="compose" data-sendwright-token-url="/counted"></div>',
      'compose.js',
    )
    const { page } = opened
    await page.route('**/client-*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(bench.host.url)
    await requested.promise
    gate.resolve(null)
    await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
    expect(askedCount).toBe(1)
  })

  it('never executes a file with an unknown hash', async () => {
    await using opened = await open(element('compose'), 'compose.js', /integrity|Failed to load resource/)
    const { page } = opened
    const body = 'window.tampered = true'
    await page.route('**/joined/core-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', headers: cors, body }),
    )
    const refused = page.waitForEvent('console', (message) => message.text().includes('integrity'))
    await page.goto(bench.host.url)
    await waitForState(page, 'ready')
    await page.getByLabel('Message body').fill('Dear friend')
    await refused
    expect(await page.evaluate(() => 'tampered' in window)).toBe(false)
    await expect.poll(() => page.getByLabel('Message body').inputValue()).toBe('Dear friend')
  })

  it('is cached for minutes under its own name, and for a year under a version’s', async () => {
    const cacheOf = async (path: string) =>
      (await fetch(`${bench.embed.url}/embed/${path}`)).headers.get('cache-control')
    expect(await cacheOf('compose.js')).toBe('public, max-age=300, stale-while-revalidate=86400')
    expect(await cacheOf(`${bench.embed.version}/compose.js`)).toBe('public, max-age=31536000, immutable')
  })
})
