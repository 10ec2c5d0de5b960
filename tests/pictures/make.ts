import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import type { ApiServer } from '../support/api-server.ts'
import { startApi } from '../support/api-server.ts'
import { captureWebp, startChromium } from '../support/chromium.ts'
import { serveDashboard } from '../support/site.ts'
import { northwindAnswers } from './northwind.ts'

// `npm run pictures`, after a build: makes the current screenshots in dashboard/pictures/ and the one of README.md.

const folder = join(import.meta.dirname, '../../dashboard/pictures')
const docsFolder = join(import.meta.dirname, '../../docs/pictures')
const size = { width: 1200, height: 750 }
const pixelRatio = 1.5

/** Each picture: its path, and the actions before the screenshot. */
const scenes: Record<string, { path: string; act: (page: Page) => Promise<unknown> }> = {
  connect: {
    path: '/dashboard/email_config',
    async act(page) {
      await page.getByText('studio@northwind.example').first().waitFor()
      await page.getByText('312 of 450').first().waitFor()
      await page.getByLabel('Email address').fill('hello@northwind.example')
    },
  },
  write: { path: '/dashboard/send_email', act: write },
  followed: {
    path: '/dashboard/send_email',
    async act(page) {
      await write(page)
      await page.getByRole('button', { name: 'Launch Message' }).click()
      await page.getByText(/Sent to \d+ of/).waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.locator('.toast').waitFor({ state: 'detached' })
      await page.mouse.move(0, 0)
    },
  },
  home: {
    path: '/dashboard',
    async act(page) {
      await page.getByRole('region', { name: 'Last campaigns' }).getByText('Members’ evening').first().waitFor()
      await page.locator('.uplot canvas').waitFor()
    },
  },
}

async function write(page: Page, third = 'visitor-3@example.org'): Promise<void> {
  await page.getByLabel('From').selectOption({ index: 1 })
  await page.getByLabel('Recipients').fill(`visitor-1@example.org, visitor-2@example.org, ${third}`)
  await page.keyboard.press('Enter')
  await page.getByLabel('Subject Line').fill('Doors open Thursday, {{first_name}}')
  await page.getByRole('radio', { name: 'HTML' }).click()
  await page
    .getByLabel('Message body')
    .fill(
      '<h2>The autumn show</h2>\n<p>Dear {{first_name}},</p>\n<p>we kept two places for you. The new galleries open at six; the talk begins at seven.</p>\n<p><a href="https://northwind.example/rsvp" style="background:#0f6b4f;color:#fff;padding:10px 20px;border-radius:6px;text-decoration:none">Keep my places</a></p>',
    )
  await page.locator('label', { hasText: 'first_name' }).locator('input').fill('friend')
  await page.getByRole('heading', { name: 'The autumn show' }).waitFor()
}

const api = await startApi(northwindAnswers(new Date()), await serveDashboard())
const server = await startChromium()
const browser = await chromium.connect(server.wsEndpoint())
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    await takeScreens(browser, api, colorScheme)
    await takeComposer(browser, api, colorScheme)
  }
  await drawStatic(browser, api)
} finally {
  await browser.close()
  await server.close()
  await api.close()
}

async function takeScreens(browser: Browser, api: ApiServer, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await openContext(browser, colorScheme)
  for (const [name, { path, act }] of Object.entries(scenes)) {
    const page = await context.newPage()
    await page.goto(api.url + path)
    await act(page)
    await settle(page)
    await writeFile(join(folder, `${name}-${colorScheme}.webp`), await captureWebp(page))
    await page.close()
  }
  await context.close()
}

/** The composer, with an invalid address. */
async function takeComposer(browser: Browser, api: ApiServer, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await openContext(browser, colorScheme)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1280, height: 884 })
  await page.goto(`${api.url}/dashboard/send_email`)
  await write(page, 'front desk')
  await settle(page)
  const name = colorScheme === 'light' ? 'compose.webp' : 'compose-dark.webp'
  const { width, height } = page.viewportSize()!
  await writeFile(join(docsFolder, name), await captureWebp(page, { x: 0, y: 0, width, height, scale: 1 / pixelRatio }))
  await context.close()
}

/** A browser of its own: drafts of one picture do not appear in another. */
async function openContext(browser: Browser, colorScheme: 'light' | 'dark'): Promise<BrowserContext> {
  const context = await browser.newContext({
    colorScheme,
    viewport: size,
    deviceScaleFactor: pixelRatio,
    locale: 'en-GB',
  })
  await context.addInitScript(() => {
    if (window !== window.top) return
    localStorage.setItem('access_token', 'at_1')
  })
  return context
}

/** The initial state of a page: scrolled to the top, no hover, fonts loaded. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of [document.scrollingElement, ...document.querySelectorAll('main, main *')]) {
      element?.scrollTo({ top: 0 })
    }
    return document.fonts.ready
  })
}

/** The social preview image, and the icons for browsers without SVG icons. */
async function drawStatic(browser: Browser, api: ApiServer): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 630 }, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${api.url}/`)
  const postmark = await page.locator('.letter .postmark').evaluate((svg) => svg.outerHTML)
  const styles = await page.evaluate(() =>
    [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
      .filter((rule) => rule.startsWith('@font-face') || rule.startsWith('.postmark'))
      .join('\n'),
  )
  const icon = await readFile(join(folder, 'icon.svg'), 'utf8')
  await page.route('**/social', (route) =>
    readFile(join(import.meta.dirname, 'social.html'), 'utf8').then((body) =>
      route.fulfill({ body, contentType: 'text/html' }),
    ),
  )
  await page.route('**/icon', (route) => route.fulfill({ body: icon, contentType: 'image/svg+xml' }))
  await page.goto(`${api.url}/social`)
  await page.addStyleTag({ content: styles })
  await page.locator('.place').evaluate((place, html) => (place.innerHTML = html), postmark)
  await page.evaluate(() => document.fonts.load('400 100px "Newsreader Variable"').then(() => document.fonts.ready))
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, 'social.png') })

  const drawIcon = async (edge: number, background: string) => {
    await page.setViewportSize({ width: edge, height: edge })
    await page.setContent(
      `<body style="margin:0;background:${background}"><img src="${api.url}/icon" style="display:block;width:100%">`,
    )
    await page.locator('img').evaluate((image: HTMLImageElement) => image.decode())
    return page.screenshot({ omitBackground: true })
  }
  await writeFile(join(folder, 'touch-icon.png'), await drawIcon(180, '#0f6b4f'))
  await writeFile(join(folder, 'favicon.ico'), asIco(await drawIcon(32, 'transparent'), 32))
  await context.close()
}

/** An ICO file may contain a PNG unchanged: a header, one entry, the picture. */
function asIco(png: Buffer, edge: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(edge, 6)
  head.writeUInt8(edge, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
