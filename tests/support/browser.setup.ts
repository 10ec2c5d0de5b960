import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build, buildInto } from '../../commands/build.ts'
import { widgetsBundle } from '../../rollup.config.ts'
import { startChromium } from './chromium.ts'
import { shareInRun } from './shared-in-run.ts'

/** Before browser tests and journeys: builds the tested files and starts one Chromium for all of them. Returns its teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, release } = await shareInRun('chromium', prepare)
  project.provide('chromium', value.endpoint)
  return release
}

async function prepare(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
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
  return { endpoint: server.wsEndpoint(), stop: () => server.close() }
}
