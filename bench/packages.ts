import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const shownCount = 5

interface LockedPackage {
  dev?: boolean
  devOptional?: boolean
}

/** The size of the production packages in node_modules, without those for builds and tests. */
export const packagesBench: Bench = {
  name: 'packages',
  title: 'node_modules for running (without development packages), and its largest parts',
  async run() {
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, LockedPackage>
    }
    const sizes = new Map<string, number>()
    for (const [path, { dev }] of Object.entries(lock.packages)) {
      if (path === '' || dev === true) continue
      const bytes = await sizeOf(join(root, path))
      if (bytes > 0) sizes.set(path.replace(/^node_modules\//, ''), bytes)
    }
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, shownCount)
    const figure = (name: string, bytes: number) => ({
      case: name,
      value: bytes / 2 ** 20,
      unit: 'MiB',
      baseline: null,
      against: '',
    })
    return [figure(`${sizes.size} packages`, total), ...largest.map(([name, bytes]) => figure(name, bytes))]
  },
}

/** Bytes of a package's own files; packages inside it are counted by their own entries. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // Of another platform: not installed.
  const sizes = entries.map(async (entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : sizeOf(join(folder, entry.name))
    return entry.isFile() ? (await stat(join(folder, entry.name))).size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}
