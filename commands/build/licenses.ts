import { readFile, readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Plugin } from 'rollup'

/** A placeholder in the bundle for the names of all licences. */
export const licenseNote = '/*! licenses.txt */\n'

/** Writes `licenses.txt`: name, version and licence text of every bundled package. */
export function licenses(): Plugin {
  return {
    name: 'licenses',
    async generateBundle(_options, bundle) {
      const folders = new Set<string>()
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') for (const id of Object.keys(file.modules)) addPackageOf(id, folders)
      }
      const texts = await Promise.all([...folders].sort().map(describe))
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: texts.join(`\n${'-'.repeat(72)}\n\n`) })
    },
  }
}

function addPackageOf(id: string, folders: Set<string>): void {
  const mark = `${sep}node_modules${sep}`
  const at = id.lastIndexOf(mark)
  if (at < 0) return
  const [scope = '', name = ''] = id.slice(at + mark.length).split(sep)
  // Rollup marks its virtual modules with a zero byte before the path.
  folders.add(id.slice(id.indexOf(sep), at + mark.length) + (scope.startsWith('@') ? join(scope, name) : scope))
}

async function describe(folder: string): Promise<string> {
  const about = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name))
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8')
  return `${about['name'] ?? ''} ${about['version'] ?? ''} (${about['license'] ?? 'no licence named'})\n\n${text.trim()}\n`
}
