import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../support/api-server.ts'
import { axeViolations, connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { hostileHtml } from '../support/hostile-html.ts'
import { sampleTemplate } from '../support/samples.ts'
import { serveGallery } from '../support/site.ts'

let browser: Browser
let site: ApiServer
let opened: OpenedPage
let page: Page
const requested: string[] = []
beforeAll(async () => {
  site = await startApi({}, serveGallery())
  browser = await connectBrowser()
  // No policy of the page's own: only the frame isolates the mail.
  opened = await openPage(browser)
  page = opened.page
  await watch(page)
  await page.goto(`${site.url}/mails-alone`)
  await page.waitForFunction(() => 'showMail' in window)
})
afterAll(async () => {
  await page.context().close()
  await browser.close()
  await site.close()
})
beforeEach(() => void requested.splice(0))

/** Records each request to another origin, and aborts it. */
async function watch(on: Page): Promise<void> {
  await on.context().route(/^(?!https?:\/\/localhost|data:)/, (route) => {
    requested.push(route.request().url())
    return route.abort()
  })
  on.on('dialog', (dialog) => void dialog.dismiss())
}

/** Shows a mail, and waits until frame and thumbnail have loaded it. */
async function show(html: string, on: Page = page): Promise<Frame[]> {
  await on.evaluate((text) => (window as unknown as { showMail: (html: string) => void }).showMail(text), html)
  await expect.poll(() => filled(on).then((frames) => frames.length)).toBe(2)
  await on.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return filled(on)
}

async function filled(on: Page): Promise<Frame[]> {
  const frames = on.frames().slice(1)
  const has = await Promise.all(frames.map((frame) => frame.evaluate(() => document.adoptedStyleSheets.length > 0)))
  return frames.filter((_, at) => has[at])
}

describe('H42 hostile HTML in a frame and in a thumbnail', () => {
  it.each(hostileHtml)('H42 %s executes nothing and requests nothing', async (html) => {
    const frames = await show(html)
    const worlds = [page.mainFrame(), ...frames]
    for (const world of worlds) expect(await world.evaluate(() => '__pwned' in window)).toBe(false)
    expect(requested.filter((url) => !url.startsWith('https:') || !/\.(png|gif)$/.test(url))).toEqual([])
    expect(page.url()).toBe(`${site.url}/mails-alone`)
  })
})

describe('external requests', () => {
  it('H42 a picture is allowed over https, and not over http', async () => {
    await show('<img src="https://pictures.example/a.png"><img src="http://pictures.example/b.png">')
    expect([...new Set(requested)]).toEqual(['https://pictures.example/a.png'])
  })

  it('H42 an image of the library is shown over http from our own server, and no other address of it', async () => {
    const asked: string[] = []
    const note = (request: { url: () => string }) => void asked.push(new URL(request.url()).pathname)
    page.on('request', note)
    const sources = ['/i/key/600', '/sandbox/messages'].map((path) => `${site.url}${path}`)
    await show(sources.map((source) => `<img src="${source}">`).join(''))
    await expect.poll(() => asked).toContain('/i/key/600')
    page.off('request', note)
    expect([...new Set(asked)]).toEqual(['/i/key/600'])
  })

  it.each([
    '<style>@import "https://evil.example/a.css"; body { color: red }</style>',
    '<style>@import url(https://evil.example/a.css);</style>',
    '<style>@font-face { font-family: x; src: url(https://evil.example/x.woff2) } p { font-family: x }</style><p>x</p>',
    '<style>p { background: u\\72l(http://tracker.example/a.png) }</style><p>x</p>',
    '<style>p { background: u/**/rl(http://tracker.example/a.png) }</style><p>x</p>',
    '<style>@media all { p { background: url("http://tracker.example/a.png") } }</style><p>x</p>',
    '<style>p { background: url(http://tracker.example/a.png</style><p>x</p>',
    '<p style="background: url(http://tracker.example/a.png)">x</p>',
    '<p style="--a: url(http://tracker.example/a.png); background: var(--a)">x</p>',
    '<p style=\'background: image-set("http://tracker.example/a.png" 1x)\'>x</p>',
    '<table background="http://tracker.example/a.png"><tr><td>x</td></tr></table>',
    '<!--[if mso]><style>p { background: url(http://tracker.example/a.png) }</style><![endif]--><p>x</p>',
    '<style>/* </style><style> */ @import "https://evil.example/a.css";</style>',
  ])('H43 %s fetches nothing', async (html) => {
    await show(html)
    expect(requested).toEqual([])
  })
})

describe('isolation in the frame', () => {
  it('H43 fixed or huge elements cover nothing of the page', async () => {
    await show(
      '<div style="position: fixed; inset: 0; z-index: 2147483647; background: red">mine</div><div style="height: 99999px; width: 99999px">huge</div>',
    )
    const size = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ])
    expect(size).toEqual([page.viewportSize()!.width, page.viewportSize()!.height])
    const covered = await page.evaluate(() => document.elementFromPoint(900, 600)?.tagName)
    expect(covered).not.toBe('IFRAME')
  })

  it.each([
    '</iframe></textarea><p>out</p>',
    '<iframe srcdoc="<p>inner</p>"></iframe>',
    '<base href="https://evil.example/"><a href="a">go</a>',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<form action="https://evil.example/"><button>go</button><input type="submit" value="go"></form>',
    '<a href="https://evil.example/" target="_top">go</a>',
    '<a href="https://evil.example/" target="_blank">go</a>',
    '<map name="m"><area href="https://evil.example/" shape="rect" coords="0,0,99,99">go</map>',
  ])('H44 %s is inert', async (html) => {
    const [frame] = await show(html)
    const popups: string[] = []
    page.context().once('page', (popup) => popups.push(popup.url()))
    for (const one of await frame!.getByText('go').all()) await one.click()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(requested).toEqual([])
    expect(popups).toEqual([])
    expect(page.url()).toBe(`${site.url}/mails-alone`)
    expect(page.frames().map((one) => one.url())).toEqual([page.url(), 'about:blank', 'about:blank'])
    await expect.poll(() => page.locator('main').textContent()).not.toContain('out')
  })
})

it('a mail keeps its layout attributes', async () => {
  const frames =
    await show(`<table width="300" cellpadding="0" cellspacing="0" border="0" bgcolor="#ff0000" align="center">
    <tr><td width="10%" height="40" valign="top" bgcolor="#0000ff"></td><td colspan="2" align="right">x</td></tr></table>
    <p dir="rtl" lang="ar"><font color="#00ff00" size="6">y</font></p><ol type="a" start="3"><li>z</li></ol>`)
  const drawn = await frames[0]!.evaluate(() => {
    const style = (selector: string) => getComputedStyle(document.querySelector(selector)!)
    return {
      table: [style('table').width, style('table').backgroundColor, style('table').borderSpacing],
      cell: [style('td').width, style('td').height, style('td').verticalAlign, style('td').backgroundColor],
      words: [style('td + td').textAlign, style('p').direction, style('font').color, style('font').fontSize],
      list: [style('ol').listStyleType, document.querySelector('ol')?.start],
    }
  })
  expect(drawn).toEqual({
    table: ['300px', 'rgb(255, 0, 0)', '0px'],
    cell: ['30px', '40px', 'top', 'rgb(0, 0, 255)'],
    words: ['-webkit-right', 'rtl', 'rgb(0, 255, 0)', '32px'],
    list: ['lower-alpha', 3],
  })
})

describe('under a strict policy', () => {
  it('a mail keeps its styles and style sheets without a policy violation', async () => {
    await using strict = await openPage(browser)
    await strict.page.goto(`${site.url}/mails`)
    await strict.page.waitForFunction(() => 'showMail' in window)
    const [frame] = await show(
      '<head><title>no</title><style>.red { color: rgb(200, 0, 0) }</style></head><body style="background: rgb(1, 2, 3)"><p class="red">one</p><p style="padding: 7px">two</p><p style=""></p><p style></p><p style="mso-x: 1"></p></body>',
      strict.page,
    )
    const style = (selector: string, name: string) =>
      frame!.locator(selector).evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name)
    expect(await style('.red', 'color')).toBe('rgb(200, 0, 0)')
    expect(await style('.red + p', 'padding-top')).toBe('7px')
    expect(await style('body', 'background-color')).toBe('rgb(1, 2, 3)')
    await expect.poll(() => frame!.locator('body').textContent()).toBe('onetwo')
  })
})

describe('the template picker in a third-party page', () => {
  it("SEND-31 a card shows the template's preview, and H42 a hostile one causes no harm there", async () => {
    const templates = [
      sampleTemplate(),
      ...hostileHtml.map((body, at) =>
        sampleTemplate({ id: `tpl_h${at}`, subject: body.slice(0, 900), body, context: [body.slice(0, 100)] }),
      ),
    ]
    site.on('getEmailTemplates', { json: templates, headers: { 'X-Total-Count': String(templates.length) } })
    site.on('listDocuments', { json: [], headers: { 'X-Total-Count': '0' } })
    // The policy reports requests of discarded content.
    await using strict = await openPage(browser, { allowFaults: /Content Security Policy/ })
    await watch(strict.page)
    await strict.page.goto(`${site.url}/mails`)
    await strict.page.waitForFunction(() => 'showPicker' in window)
    await strict.page.evaluate(() => (window as unknown as { showPicker: () => void }).showPicker())
    const card = strict.page.getByRole('button', { name: /Doors open/ })
    await card.locator('iframe').contentFrame().getByText('we kept two places for you').waitFor()
    await strict.page.mouse.wheel(0, 4000)
    await expect.poll(() => filled(strict.page).then((frames) => frames.length)).toBeGreaterThan(3)
    for (const frame of strict.page.frames()) expect(await frame.evaluate(() => '__pwned' in window)).toBe(false)
    expect(requested).toEqual([])
    expect(await axeViolations(strict.page)).toEqual([])
  })
})
