import { describe, expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith, type HostPage } from '../../support/embed-site.ts'

const bench = embedBench()
const composer = '<div data-sendwright="compose"></div>'
const tagOptions = 'data-embed="pk_test" data-token-url="/session"'

async function open(page: string | HostPage, allowFaults?: RegExp) {
  bench.host.on('/', page)
  const opened = await openPage(bench.browser, allowFaults ? { allowFaults } : {})
  await opened.page.goto(bench.host.url)
  return opened
}

const html = (head: string) =>
  `<!doctype html><html lang="en"><title>Host</title>${head}<body>${composer}</body></html>`

/** Like Google Tag Manager with a tag of custom HTML: it parses the HTML with scripts disabled and recreates each script. */
const tagManager = (tag: string) => `<script>
  const parsed = document.createElement('div')
  parsed.innerHTML = ${JSON.stringify(tag).replaceAll('</', '<\\/')}
  for (const found of parsed.querySelectorAll('script')) {
    const made = document.createElement('script')
    for (const { name, value } of found.attributes) made.setAttribute(name, value)
    made.text = found.text
    document.head.append(made)
    made.remove()
  }
</script>`

const loader = () => `${bench.embed.url}/embed/loader.js`

const pages: readonly [how: string, page: () => string | HostPage][] = [
  ['type="module"', () => html(`<script type="module" src="${loader()}" ${tagOptions}></script>`)],
  [
    'import()',
    () => html(`<script type="module" ${tagOptions} data-api="${bench.embed.url}">import('${loader()}')</script>`),
  ],
  [
    'an XHTML page',
    () => ({
      html: `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Host</title>
<script src="${loader()}" ${tagOptions}></script></head><body>${composer}</body></html>`,
      headers: { 'Content-Type': 'application/xhtml+xml; charset=utf-8' },
    }),
  ],
  ['Google Tag Manager', () => html(tagManager(`<script async src="${loader()}" ${tagOptions}></script>`))],
  [
    'a script of Google Tag Manager that adds the tag',
    () =>
      html(
        tagManager(`<script>const tag = document.createElement('script')
Object.assign(tag.dataset, { embed: 'pk_test', tokenUrl: '/session' })
document.head.append(Object.assign(tag, { src: '${loader()}' }))</script>`),
      ),
  ],
]

describe('TRIAL-62 the loader finds its tag, and its widgets work,', () => {
  it.each(pages)('TRIAL-62 with %s', async (_how, page) => {
    await using opened = await open(page())
    await waitForState(opened.page, 'ready')
    // By position: Playwright does not find the labels of an XHTML page.
    await opened.page.locator('.subject input').fill('Hello')
    // The text box, or the editor that has taken its place.
    await opened.page.locator('.body [aria-label="Message body"]:visible').fill('Dear friend')
    await opened.page.locator('.sheet').getByText('Dear friend').waitFor()
    // The tag's own options were read: its session was fetched with them.
    await opened.page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
  })

  it.each([
    ['imports it without a tag', () => `<script type="module">import('${loader()}')</script>`],
    ['gives its module no option', () => `<script type="module" src="${loader()}"></script>`],
    [
      'imports it from a tag without an address',
      () => `<script type="module" ${tagOptions}>import('${loader()}')</script>`,
    ],
  ])('TRIAL-62 one console message names the remedy when a page %s', async (_what, head) => {
    const sentence = 'Sendwright found no script with data-embed and data-api.'
    bench.host.on('/', html(head()))
    await using opened = await openPage(bench.browser, { allowFaults: new RegExp(sentence) })
    const reported = opened.page.waitForEvent('console')
    await opened.page.goto(bench.host.url)
    expect((await reported).text()).toBe(sentence)
    await opened.page.waitForLoadState()
    await expect.poll(() => opened.faults).toEqual([sentence])
  })
})

describe('destroy()', () => {
  const linkCount = () => document.querySelectorAll('link').length

  it('TRIAL-70 removes every link element that the loader added, and leaves the page’s own', async () => {
    const head = '<link rel="canonical" href="https://www.example.com/">'
    await using opened = await open(pageWith(bench.embed, composer, { head }))
    const { page } = opened
    await waitForState(page, 'ready')
    await page.getByLabel('Message body').fill('Dear friend')
    await page.getByRole('document', { name: 'Message' }).getByText('Dear friend').waitFor()
    expect(await page.evaluate(linkCount)).toBeGreaterThan(5)
    await page.evaluate(() => window.sendwright!.destroy())
    await expect
      .poll(() => page.evaluate(() => [...document.querySelectorAll('link')].map(({ rel }) => rel)))
      .toEqual(['canonical'])
  })

  it('TRIAL-70 adds no link for a file that was in flight', async () => {
    bench.host.on('/', pageWith(bench.embed, composer))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    const gate = Promise.withResolvers<undefined>()
    await page.route('**/compose-*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    const requested = page.waitForRequest('**/compose-*.js')
    await page.goto(bench.host.url)
    await requested
    await page.evaluate(() => window.sendwright!.destroy())
    const came = page.waitForEvent('requestfinished', (request) => request.url().includes('/compose-'))
    gate.resolve(undefined)
    await came
    // Code that waits for the response has run.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await page.evaluate(linkCount)).toBe(0)
  })
})
