import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressFolder } from '../../../commands/build/compress.ts'
import { buildLoader } from '../../../commands/build/embed-loader.ts'
import { loaderFiles } from '../../../contract/embed/embed-files.ts'
import { loaderBundle } from '../../../rollup.config.ts'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { startEmbedApi, type EmbedApi, type LoaderFile } from '../../support/embed-site.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const bench = embedBench()
let other: EmbedApi
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  other = await startEmbedApi(await buildAnother(folder.path))
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** A release with another composer: its files, their hashes and its version differ. */
async function buildAnother(place: string): Promise<string> {
  const built = join(place, 'embed')
  await cp(join(import.meta.dirname, '../../../dist/embed'), built, {
    recursive: true,
    filter: (file) =>
      !/(\.(br|gz)|\/parts-[\w-]+\.js|embed\.json|\/joined)$/.test(file) &&
      !loaderFiles.includes(basename(file) as LoaderFile),
  })
  for (const name of await readdir(built)) {
    if (!/^compose-.*\.js$/.test(name)) continue
    const text = await readFile(join(built, name), 'utf8')
    await writeFile(join(built, name), text.replaceAll('Launch Message', 'Launch It'))
  }
  await buildLoader(built, loaderBundle)
  await compressFolder(built)
  return built
}

describe('two loaders of different versions on one page', () => {
  for (const [order, first, second] of [
    ['the older first', () => bench.embed, () => other],
    ['the newer first', () => other, () => bench.embed],
  ] as const) {
    it(`${order}: the first mounts the widget, with its own files only, and the second logs one message`, async () => {
      const tag = ({ url, version }: EmbedApi) =>
        `<script src="${url}/embed/${version}/loader.js" data-embed="pk_test" data-token-url="/session"></script>`
      bench.host.on(
        '/',
        `<!doctype html><title>Host</title>${tag(first())}${tag(second())}<div data-sendwright="compose"></div>`,
      )
      expect(first().version).not.toBe(second().version)
      await using opened = await openPage(bench.browser, { allowFaults: /Sendwright is here twice/ })
      const { page, faults } = opened
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      await page.goto(bench.host.url)
      await waitForState(page, 'ready')
      await page.getByText('studio@northwind.example').first().waitFor({ state: 'attached' })
      await expect.poll(() => page.evaluate(() => window.sendwright?.version)).toBe(first().version)
      const name = first() === other ? 'Launch It' : 'Launch Message'
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(1)
      await expect.poll(() => page.getByLabel('Subject Line').count()).toBe(1)
      const ofSecond = requested.filter((url) => url.startsWith(second().url))
      expect(ofSecond).toEqual([`${second().url}/embed/${second().version}/loader.js`])
      await expect.poll(() => faults).toHaveLength(1)
    })
  }
})
