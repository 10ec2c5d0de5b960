import { relative } from 'node:path'
import type { OutputBundle, OutputChunk, Plugin } from 'rollup'

/** Files of an entry or of a lazy chunk: its own, and its imports. Paths in its folder. */
export interface EntryFiles {
  file: string
  imports: string[]
}

/** By name for an entry, by the path of its source for a lazy chunk; the content of `manifest.json`. */
export type Manifest = Readonly<Record<string, EntryFiles>>

/** Writes `manifest.json`: the files of each entry and each lazy chunk, for the loader and the size budgets. */
export function manifest(root: string): Plugin {
  return {
    name: 'manifest',
    generateBundle(_options, bundle) {
      const found: [string, EntryFiles][] = []
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const files = { file: chunk.fileName, imports: [...importsOf(chunk, bundle, new Set())].sort() }
        if (chunk.isEntry) found.push([chunk.name, files])
        for (const id of chunk.moduleIds) {
          if (this.getModuleInfo(id)?.dynamicImporters.length) found.push([relative(root, id), files])
        }
      }
      found.sort(([one], [other]) => one.localeCompare(other))
      const source = JSON.stringify(Object.fromEntries(found), null, 2)
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source })
    },
  }
}

function importsOf(chunk: OutputChunk, bundle: OutputBundle, found: Set<string>): Set<string> {
  for (const name of chunk.imports) {
    const next = bundle[name]
    if (found.has(name) || next?.type !== 'chunk') continue
    found.add(name)
    importsOf(next, bundle, found)
  }
  return found
}
