import { createHash } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reservedHeight, widgetHeightsPx } from '../../contract/embed/embed-heights.ts'
import { loaderFiles, type BuiltEmbed } from '../../contract/embed/embed-files.ts'
import { connectBrowser, fillText, openPage } from '../support/browser.ts'
import { waitForState } from '../support/embed-bench.ts'
import { startHostSite, type HostSite } from '../support/embed-site.ts'
import { createTestEmbed, type TestEmbed } from '../support/embeds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')

let server: TestServer
let browser: Browser
let host: HostSite
let made: TestEmbed
let backend: ChildProcess
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let snippets: { language: string; text: string }[]
beforeAll(async () => {
  ;[server, browser, host, folder] = await Promise.all([
    startTestServer(),
    connectBrowser(),
    startHostSite(),
    temporaryFolder(),
  ])
  made = await createTestEmbed(server, { allowed_origins: [host.url], popup_sign_in: true })
  const { version, integrity } = JSON.parse(await readFile(join(root, 'dist/embed/embed.json'), 'utf8')) as BuiltEmbed
  const values: Record<string, string> = {
    api: server.url,
    embed: made.embed.id,
    origin: host.url,
    version,
    integrity: integrity['compose.js'] ?? '',
  }
  const text = await readFile(join(root, 'docs/embedding.md'), 'utf8')
  snippets = [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, language = '', code = '']) => ({
    language,
    text: code.replaceAll(/\{\{(api|embed|origin|version|integrity)\}\}/g, (_, name: string) => values[name] ?? ''),
  }))
  backend = await startBackend()
})
afterAll(async () => {
  backend.kill('SIGKILL')
  await browser.close()
  await host[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const only = (language: string) => snippets.filter((one) => one.language === language).map((one) => one.text)

/** The back end printed in the document, behind the site's `/my/embed-session`. */
async function startBackend(): Promise<ChildProcess> {
  const [code = ''] = only('js')
  const file = join(folder.path, 'backend.mjs')
  // Its port is free; it prints nothing once it listens.
  await writeFile(file, code)
  const port = await freePort()
  const child = spawn(process.execPath, [file], {
    env: { PORT: String(port), SENDWRIGHT_SECRET_KEY: made.user.secretKey },
    stdio: 'inherit',
  })
  host.on('/my/embed-session', (_request, response) => {
    const pass = () => {
      const passed = httpRequest({ port, host: 'localhost', method: 'POST' }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' })
        answer.pipe(response)
      })
      passed.on('error', () => setTimeout(pass, 20))
      passed.end()
    }
    pass()
  })
  return child
}

async function hashOf(address: string): Promise<string> {
  const file = Buffer.from(await (await fetch(address)).arrayBuffer())
  return `sha256-${createHash('sha256').update(file).digest('base64')}`
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, done))
  const { port } = probe.address() as { port: number }
  await new Promise((done) => probe.close(done))
  return port
}

/** An empty file with only the printed snippet. */
async function openWith(html: string, headers: Record<string, string> = {}) {
  host.on('/', { html: `<!doctype html><title>Empty</title>${html}`, headers })
  const opened = await openPage(browser)
  await opened.page.goto(host.url)
  return opened
}
const mailbox = (page: Page) => page.locator('option', { hasText: 'sandbox@localhost' }).first()

describe('each snippet of docs/embedding.md works in an empty file', () => {
  it('the document has exactly the snippets tested here', () => {
    expect(snippets.map(({ language }) => language)).toEqual([
      'html',
      'html',
      'html',
      'js',
      'css',
      'html',
      'html',
      'html',
      'html',
      '',
      'html',
    ])
  })

  it('the two lines show a composer, and a sign-in', async () => {
    await using opened = await openWith(only('html')[0]!)
    await waitForState(opened.page, 'ready')
    await opened.page.getByRole('button', { name: 'Sign In' }).waitFor()
  })

  it('a template picker shows public templates to every visitor, without a session', async () => {
    const body = { subject: 'Printed for all', body: '<p>Hello</p>', is_public: true }
    await server.call('POST', '/email/template', { token: made.user.token, body })
    await using opened = await openWith(only('html')[1]!)
    await opened.page.getByRole('button', { name: /Printed for all/ }).waitFor()
  })

  it('with the printed back end and the printed listener, a message is sent', async () => {
    await using opened = await openWith(only('html')[2]! + only('html')[3]!)
    const { page } = opened
    await mailbox(page).waitFor({ state: 'attached' })
    await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
    await page.getByLabel('Subject Line').fill('As printed')
    await fillText(page, '<p>Dear friend</p>')
    await page.getByLabel('Recipients', { exact: true }).fill('reader@example.org')
    await page.getByLabel('Recipients', { exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.waitForFunction(() => document.title === 'Sent to 1')
    const [mail] = await server.mailsTo('reader@example.org')
    expect(mail?.subject).toBe('As printed')
  })

  it('the CSS rules style a widget', async () => {
    await using opened = await openWith(`<style>${only('css')[0]!}</style>${only('html')[2]!}`)
    await waitForState(opened.page, 'ready')
    const launch = opened.page.getByRole('button', { name: 'Launch Message' })
    const inspect = await launch.evaluate((one) => {
      const style = getComputedStyle(one)
      return [style.getPropertyValue('--sw-color-accent'), style.borderRadius, style.textTransform]
    })
    expect(inspect).toEqual(['#7a1fa2', '2px', 'uppercase'])
  })

  it('the queue mounts a widget', async () => {
    await using opened = await openWith(only('html')[4]!)
    await waitForState(opened.page, 'ready')
    await expect.poll(() => opened.page.getByLabel('Subject Line').inputValue()).toBe('Hello')
  })

  it.each([
    ['a module that imports the loader', 5],
    ['a script that adds the tag', 6],
  ])('%s shows a composer', async (_what, at) => {
    await using opened = await openWith(`${only('html')[at]!}<div data-sendwright="compose"></div>`)
    await waitForState(opened.page, 'ready')
    await opened.page.getByRole('button', { name: 'Sign In' }).waitFor()
  })

  it('the policy allows a widget', async () => {
    const policy = `default-src 'none'; style-src 'unsafe-inline'; ${only('')[0]!.replaceAll('\n', ' ')} require-trusted-types-for 'script'`
    await using opened = await openWith(only('html')[2]!, { 'Content-Security-Policy': policy })
    await mailbox(opened.page).waitFor({ state: 'attached' })
    await fillText(opened.page, '<p>Dear friend</p>')
  })

  it('a version with its hash runs', async () => {
    await using opened = await openWith(only('html')[7]!)
    await waitForState(opened.page, 'ready')
  })
})

it('docs/embedding.md and the README reserve the same height as the dashboard’s snippet', async () => {
  const [text, readme] = await Promise.all(
    ['docs/embedding.md', 'README.md'].map((file) => readFile(join(root, file), 'utf8')),
  )
  const rows = [...text!.matchAll(/^\| `([\w-]+)` .*\| (\d+) px \/ (\d+) px +\|$/gm)]
  expect(rows.map(([, name, wide, narrow]) => [name, { wide: Number(wide), narrow: Number(narrow) }])).toEqual(
    Object.entries(widgetHeightsPx),
  )
  const printed = [...`${text}${readme}`.matchAll(/style="min-height: ([^"]+)"/g)].map(([, height]) => height)
  expect(new Set(printed)).toEqual(new Set([reservedHeight('compose'), reservedHeight('template-picker')]))
})

it("the server's documentation page shows the versioned tag with the file’s own hash, and it works as copied", async () => {
  await using opened = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = opened
  await page.goto(`${server.url}/docs`)
  await page.getByRole('button', { name: 'Copy versioned snippet' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('integrity=')
  const snippet = await copied()
  const [, source = ''] = /src="([^"]+)"/.exec(snippet) ?? []
  expect(snippet).toContain(`integrity="${await hashOf(source)}"`)
  const { version } = JSON.parse(await readFile(join(root, 'dist/embed/embed.json'), 'utf8')) as BuiltEmbed
  for (const name of loaderFiles) {
    const own = await hashOf(`${server.url}/embed/${version}/${name}`)
    await page.getByText(own, { exact: true }).waitFor()
    await page.getByRole('button', { name: `Copy integrity hash of ${name}` }).click()
    await expect.poll(copied).toBe(own)
  }
  const tag = snippet.replace('pk_…', made.embed.id)
  await using site = await openWith(`${tag}<div data-sendwright="compose"></div>`)
  await waitForState(site.page, 'ready')
})
