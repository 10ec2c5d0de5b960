import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../support/api-server.ts'
import { connectBrowser, openPage, type OpenedPage } from '../support/browser.ts'
import { hostileHtml } from '../support/hostile-html.ts'
import { serveGallery } from '../support/site.ts'

let browser: Browser
let site: ApiServer
let opened: OpenedPage
let page: Page
beforeAll(async () => {
  site = await startApi({}, serveGallery())
  browser = await connectBrowser()
  opened = await openPage(browser)
  page = opened.page
  await page.route(/^https?:\/\/(?!localhost)/, (route) => route.abort())
  await page.goto(`${site.url}/sanitiser-alone`)
  await page.waitForFunction(() => 'redraw' in window)
})
afterAll(async () => {
  await page.context().close()
  await browser.close()
  await site.close()
})

interface Drawn {
  redraw: (versions: readonly string[]) => string
  redrawFrame: (versions: readonly string[]) => string
  show: (html: string) => string
  showEnded: (html: string) => string
  showInFrame: (html: string) => string
  keep: (page: Document) => (html: string) => void
}
const drawn = (versions: readonly string[]) =>
  page.evaluate((all) => {
    const { redraw, redrawFrame } = window as unknown as Drawn
    return [redraw(all), redrawFrame(all)]
  }, versions)
const whole = (html: string) =>
  page.evaluate((text) => {
    const { show, showInFrame } = window as unknown as Drawn
    return [show(text), showInFrame(text)]
  }, html)

const rows = (text: string) => `<p style="color: red">${text} <b>bold</b></p>\n`.repeat(120)
const shapes: readonly [string, (inner: string) => string][] = [
  ['plain', (inner) => inner],
  ['a table', (inner) => `<table width="1"><tr><td>${rows('before')}</td><td>x ${inner} y</td></tr></table>tail`],
  [
    'nested tables',
    (inner) => `<div><div><table><tbody><tr><td>${rows('a')}${inner}</td></tr></tbody></table></div></div>`,
  ],
  [
    'a document',
    (inner) =>
      `<!doctype html><html><head><style>p{color:red}</style></head><body class="x"><!--[if mso]><table><tr><td><![endif]--><div>${rows('a')} ${inner}</div></body></html>`,
  ],
]
const parts = [
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<td>',
  '</td>',
  '<li>',
  '<br>',
  ' ',
  'text',
  '&amp;',
  '<div style="color:',
  'red">',
  '</div>',
  '<',
  '<!--',
  '-->',
  '"',
  '<a href="https://a.example/">',
  '</a>',
  '<style>',
  '</style>',
  '<i>',
]

/** Parts whose end a parser implies, in the order in which mails have them. */
const unended = [
  '<p>text <a href="https://a.example/">link',
  '<p>text',
  '<p><a href="https://b.example/">link',
  ' text <a href="https://a.example/">link',
  '<p><img alt="x">',
  '<p><b>bold</b>',
  '<p>\n',
  '</p>\n',
  '<h1>title</h1>',
  '<ul><li><p>one<p>two</li></ul>',
  '<table><tr><td><p>cell<p>cell</td></tr></table>',
]
const openShapes: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `<p>one${inner}<p>two`,
  (inner) => `<div>${inner}</div><p>two`,
  (inner) => `<table><tr><td>${inner}</td></tr></table><p>two<p>three`,
  (inner) => `${'<p>long <a href="https://a.example/">text'.repeat(30)}${inner}${'<p>long'.repeat(30)}`,
]
const ended = (versions: readonly string[]) =>
  page.evaluate((all) => all.map((window as unknown as Drawn).showEnded), versions)
const shownAlone = (versions: readonly string[]) =>
  page.evaluate((all) => all.map((window as unknown as Drawn).show), versions)

describe('incremental rendering of a message', () => {
  it.each(shapes)('%s renders as if parsed in one go', async (_shape, around) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (inners) => {
          const versions = inners.map((inner) => around(rows('one') + inner.join('') + rows('two')))
          expect(await drawn(versions)).toEqual(await whole(versions.at(-1) ?? ''))
        },
      ),
      { numRuns: 25, examples: [[[[], ['<td>', '</td>']]], [[['</td>'], ['</td>']]]] },
    )
  })

  it.each([
    [['Dear', '<frameset></frameset>']],
    [['<frameset></frameset>', '<frameset></frameset>x']],
    [['<frameset></frameset>', 'Dear<frameset>all</frameset>']],
    [['Dear', 'Dear<frameset>all</frameset>', '<frameset>all</frameset>', 'Dear']],
  ])('renders as if parsed in one go where a frameset is added or removed: %j', async (versions) => {
    expect(await drawn(versions)).toEqual(await whole(versions.at(-1) ?? ''))
  })

  it('renders paragraphs and links that never end as if parsed in one go, and cuts between them', async () => {
    const inner = fc.array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...unended) }, fc.constantFrom(...parts)), {
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(inner, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...openShapes),
        async (inners, around) => {
          const versions = inners.map((words) => around(words.join('')))
          expect(await drawn(versions)).toEqual(await whole(versions.at(-1) ?? ''))
          expect(await ended(versions)).toEqual(await shownAlone(versions))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('leaves the element that holds the change, and its siblings, unchanged', async () => {
    const around = shapes[2]![1]
    const fresh = await page.evaluate(
      ([first, second]) => {
        const before = new Set<Node>()
        const frame = document.createElement('iframe')
        document.body.append(frame)
        const page = frame.contentDocument!
        const { keep } = window as unknown as Drawn
        const draw = keep(page)
        draw(first)
        for (const node of page.querySelectorAll('*')) before.add(node)
        draw(second)
        const fresh = [...page.querySelectorAll('*')].filter((node) => !before.has(node))
        frame.remove()
        return fresh.map((node) => node.outerHTML)
      },
      [around('<p>one</p>'), around('<p>one more</p>')] as const,
    )
    expect(fresh).toEqual(['<p>one more</p>'])
  })

  it.each(hostileHtml)('H42 %s executes nothing, typed into a long message', async (html) => {
    const around = shapes[1]![1]
    await drawn([around(rows('one')), around(rows('one') + html), around(html + rows('two'))])
    expect(await page.evaluate(() => '__pwned' in window)).toBe(false)
  })

  it('contains no internal marker', async () => {
    for (const html of await drawn([shapes[3]![1]('<p>a</p>'), shapes[3]![1]('<p>b</p>')])) {
      expect(html).not.toContain('data-cut')
    }
  })
})
