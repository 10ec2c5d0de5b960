import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build, buildInto } from '../../commands/build.ts'
import { widgetsBundle } from '../../rollup.config.ts'
import { startChromium } from './chromium.ts'

/** Before the browser tests: builds the tested files and starts one Chromium for all of them. Returns its teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = join(import.meta.dirname, '../gallery')
  const pages = {
    gallery: join(folder, 'gallery.tsx'),
    sanitiser: join(folder, 'sanitiser.ts'),
    mails: join(folder, 'mails.tsx'),
  }
  const [server] = await Promise.all([
    startChromium(),
    build(),
    buildInto('gallery', (output) => widgetsBundle(output, pages)),
  ])
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}
