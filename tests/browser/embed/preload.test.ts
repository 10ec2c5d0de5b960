import { describe, expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, reached } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()
const composer = '<div data-sendwright="compose"></div>'
const headOf = async (path: string) => (await fetch(`${bench.embed.url}/embed/${path}`)).headers.get('link')

describe('a script tag that names its widget', () => {
  it('has its files fetched beside the loader, not after it, and each once', async () => {
    bench.host.on('/', pageWith(bench.embed, composer, { query: '?compose' }))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    await page.goto(bench.host.url)
    await reached(page, 'ready')
    const first = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .map(({ name, initiatorType, transferSize }) => ({
          name: /\/(core|compose|kit)-/.exec(name)?.[1],
          initiatorType,
          isFromNetwork: transferSize > 0,
        }))
        .filter(({ name, isFromNetwork }) => name !== undefined && isFromNetwork)
        .map(({ name, initiatorType }) => `${name} ${initiatorType}`),
    )
    expect(first.sort()).toEqual(['compose link', 'core link', 'kit link'])
  })

  it('comes all the same where a file failed at first', async () => {
    bench.host.on('/', pageWith(bench.embed, composer, { query: '?compose' }))
    await using opened = await openPage(bench.browser, { allowFaults: /ERR_FAILED/ })
    const { page } = opened
    let askedCount = 0
    await page.route('**/core-*.js', (route) => {
      askedCount += 1
      return askedCount === 1 ? route.abort() : route.continue()
    })
    await page.goto(bench.host.url)
    await reached(page, 'ready')
    expect(askedCount).toBeGreaterThan(1)
  })

  it('is told of in the loader’s own version, pinned or newest, and of built widgets only', async () => {
    const { version } = bench.embed
    const newest = await headOf('loader.js?template-picker')
    expect(newest).toMatch(
      new RegExp(
        `^<${version}/core-[\\w-]+\\.js>; rel=preload; as=fetch; crossorigin=anonymous, .*<${version}/template-picker-`,
      ),
    )
    expect(await headOf(`${version}/loader.js?compose`)).toMatch(/^<core-[\w-]+\.js>; .*, <compose-/)
    for (const path of ['loader.js', 'loader.js?constructor', 'loader.js?toString=1', 'embed.json?compose'])
      expect(await headOf(path)).toBe(null)
  })
})
