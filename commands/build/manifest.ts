import type { OutputBundle, OutputChunk, Plugin } from 'rollup'

/** Files of one entry: what it needs before it shows anything, and what it fetches when used. Paths in its folder. */
export interface EntryFiles {
  file: string
  imports: string[]
  whenUsed: string[]
}

/** By entry name, as `manifest.json` holds it. */
export type Manifest = Readonly<Record<string, EntryFiles>>

/** Writes `manifest.json`: which files each entry consists of, for the loader and the size budgets. */
export function manifest(): Plugin {
  return {
    name: 'manifest',
    generateBundle(_options, bundle) {
      const entries = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' && file.isEntry ? [[file.name, filesOf(file, bundle)] as const] : [],
      )
      const source = JSON.stringify(Object.fromEntries(entries), null, 2)
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source })
    },
  }
}

function filesOf(entry: OutputChunk, bundle: OutputBundle): EntryFiles {
  const imports = new Set<string>()
  addImports(entry, bundle, imports)
  const whenUsed = new Set<string>()
  const visit = (chunk: OutputChunk): void => {
    for (const name of chunk.dynamicImports) {
      const found = bundle[name]
      if (found?.type !== 'chunk' || imports.has(name) || whenUsed.has(name)) continue
      whenUsed.add(name)
      for (const other of addImports(found, bundle, new Set())) if (!imports.has(other)) whenUsed.add(other)
      visit(found)
    }
  }
  for (const name of [entry.fileName, ...imports]) {
    const chunk = bundle[name]
    if (chunk?.type === 'chunk') visit(chunk)
  }
  return { file: entry.fileName, imports: [...imports].sort(), whenUsed: [...whenUsed].sort() }
}

function addImports(chunk: OutputChunk, bundle: OutputBundle, found: Set<string>): Set<string> {
  for (const name of chunk.imports) {
    const next = bundle[name]
    if (found.has(name) || next?.type !== 'chunk') continue
    found.add(name)
    addImports(next, bundle, found)
  }
  return found
}
