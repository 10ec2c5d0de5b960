import { createHash } from 'node:crypto'
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { rollup } from 'rollup'
import { dashboardBundle, loaderBundle, prerenderBundle, widgetsBundle, type Bundle } from '../rollup.config.ts'
import { compressFolder } from './build/compress.ts'
import { buildLoader } from './build/embed-loader.ts'
import { buildLibrary } from './build/library.ts'
import { failOnWarning } from './build/log.ts'
import { writePages } from './build/pages.ts'

/** The result of a build. */
export interface BuildResult {
  outcome: 'built' | 'fresh'
  ms: number
}

const root = join(import.meta.dirname, '..')

let buildCount = 0

/** Folders with code of the dashboard and the embed. */
export const bundledFolders = ['client', 'contract', 'dashboard', 'loader', 'mail-design', 'widgets']

/** The parts of `dist/`: each is built when one of its sources has changed. */
const parts: readonly Part[] = [
  {
    name: 'bundles',
    sources: [
      `{${bundledFolders.join()},commands/build}/**/*`,
      'commands/build.ts',
      'rollup.config.ts',
      'package-lock.json',
      'package.json',
    ],
    build: () =>
      Promise.all([
        buildInto('dashboard', dashboardBundle, (folder) => writePages(folder, prerenderBundle)),
        buildInto('embed', widgetsBundle, (folder) => buildLoader(folder, loaderBundle)),
      ]),
  },
  {
    name: 'library',
    sources: [
      'library/**/*',
      'contract/mail/merge-variables.ts',
      'commands/build/{library,finish-html}.ts',
      'package-lock.json',
    ],
    build: () => buildLibrary(join(root, 'dist/library')),
  },
]

interface Part {
  name: string
  sources: readonly string[]
  build: () => Promise<unknown>
}

/**
 * Builds `dist/dashboard`, `dist/embed` and `dist/library` unless they are up to date. The new files replace the old ones
 * atomically, so a running server never finds a partial build.
 */
export async function build({ force = false }: { force?: boolean } = {}): Promise<BuildResult> {
  const startedAt = performance.now()
  const built = await Promise.all(parts.map((part) => buildPart(part, force)))
  return { outcome: built.includes(true) ? 'built' : 'fresh', ms: performance.now() - startedAt }
}

/** Returns whether anything was built. */
async function buildPart(part: Part, force: boolean): Promise<boolean> {
  const stamp = await stampOf(part.sources)
  const stampFile = join(root, `dist/${part.name}-stamp`)
  const known = await readFile(stampFile, 'utf8').catch(() => null) // Not built yet.
  if (!force && known === stamp) return false
  await part.build()
  await writeFile(stampFile, stamp)
  return true
}

/** Builds one bundle into `dist/{name}`, with `.br` and `.gz` beside each text file. `finish` processes it before that. */
export async function buildInto(
  name: string,
  bundle: (folder: string) => Bundle,
  finish?: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(root, 'dist', name)
  const run = `${process.pid}-${(buildCount += 1)}`
  const next = `${folder}.next-${run}`
  const old = `${folder}.old-${run}`
  try {
    const options = bundle(next)
    const made = await rollup({ ...options, onLog: failOnWarning })
    await made.write(options.output)
    await made.close()
    await finish?.(next)
    await compressFolder(next)
    await swap(folder, next, old)
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

/** Replaces one folder by another; retries if a concurrent build does the same. */
async function swap(folder: string, next: string, old: string): Promise<void> {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    try {
      await mkdir(folder, { recursive: true })
      await rename(folder, `${old}-${triesLeft}`)
      await rename(next, folder)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (triesLeft === 0 || (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST')) throw error
    } finally {
      await rm(`${old}-${triesLeft}`, { recursive: true, force: true })
    }
  }
}

async function stampOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const entry of glob(sources, { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) files.push(join(entry.parentPath, entry.name))
  }
  for (const file of files.sort()) hash.update(`${relative(root, file)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

if (import.meta.main) {
  const { outcome, ms } = await build({ force: process.argv.includes('--force') })
  const seconds = (ms / 1000).toFixed(1)
  console.log(outcome === 'fresh' ? 'dist/ is up to date.' : `Built dist/ in ${seconds} s.`)
}
