import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build, buildInto } from '../../commands/build.ts'
import { widgetsBundle } from '../../rollup.config.ts'
import { startChromium } from './chromium.ts'

/** Before the browser tests: what they open is built, and one Chromium runs for all of them. Gives its undo. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const gallery = join(import.meta.dirname, '../gallery/gallery.tsx')
  const [server] = await Promise.all([
    startChromium(),
    build(),
    buildInto('gallery', (folder) => widgetsBundle(folder, { gallery })),
  ])
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}
