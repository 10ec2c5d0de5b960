import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { preProcessFile } from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundledFolders } from '../../commands/build.ts'

// The directories of ARCHITECTURE.md: layers that import downwards only, independent adapters, folders of a bounded size.

const root = join(import.meta.dirname, '../..')

/** Lowest first. A file may import from its own layer and from lower ones. */
const browserLayers = ['contract', 'mail-design', 'client', 'widgets', 'dashboard']
const serverLayers = [
  'contract',
  'mail-design',
  'server/domain',
  'server/usecases',
  'server/http',
  'server/compose',
  'server',
]
const adapters = ['server/store', 'server/mailer', 'server/altcha', 'server/spreadsheet', 'server/images']
const folderMaxCount = 25

interface Import {
  from: string
  to: string
}

let files: string[]
let imports: Import[]

/** Files of the repository, new ones included, without tests. */
async function listSources(): Promise<string[]> {
  const parameters = ['ls-files', '--cached', '--others', '--exclude-standard']
  const { stdout } = await promisify(execFile)('git', parameters, { cwd: root, maxBuffer: 2 ** 24 })
  const layers = /^(contract|mail-design|client|widgets|dashboard|loader|server|commands)\//
  return stdout.split('\n').filter((file) => layers.test(file) && !/\.test\.tsx?$|\/migrations\//.test(file))
}

/** Imports at run time, static and dynamic; types are erased. */
function runtimeImports(file: string, text: string): Import[] {
  const withoutTypes = text.replaceAll(/^(?:import|export) type [^'"]*(['"])[^'"]*\1/gm, '')
  return preProcessFile(withoutTypes)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => ({ from: file, to: posix.normalize(posix.join(posix.dirname(file), fileName)) }))
}

function layerOf(file: string, layers: readonly string[]): number {
  return layers.findLastIndex((layer) => file.startsWith(`${layer}/`) && (layer !== 'server' || isRoot(file)))
}

/** The programs, which compose everything. */
const isRoot = (file: string) => /^server\/(main|server|worker)\.ts$/.test(file)

function upward(edges: readonly Import[], layers: readonly string[]): string[] {
  return edges
    .filter(({ from, to }) => layerOf(from, layers) >= 0 && layerOf(to, layers) > layerOf(from, layers))
    .map(({ from, to }) => `${from} → ${to}`)
}

function betweenAdapters(edges: readonly Import[]): string[] {
  const adapterOf = (file: string) => adapters.find((adapter) => file.startsWith(`${adapter}/`))
  return edges
    .filter(({ from, to }) => {
      const [a, b] = [adapterOf(from), adapterOf(to)]
      return a !== undefined && b !== undefined && a !== b
    })
    .map(({ from, to }) => `${from} → ${to}`)
}

beforeAll(async () => {
  files = await listSources()
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  const texts = await Promise.all(
    sources.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const),
  )
  imports = texts.flatMap(([file, text]) => runtimeImports(file, text))
})

describe('the import graph', () => {
  it('covers the project', () => {
    expect(imports.length).toBeGreaterThan(2000)
  })

  it('has no import from a lower layer to a higher one', () => {
    expect(upward(imports, browserLayers)).toEqual([])
    expect(upward(imports, serverLayers)).toEqual([])
  })

  it('has no import between adapters', () => {
    expect(betweenAdapters(imports)).toEqual([])
  })

  it('has no import of a bundled file from a folder whose changes the build does not notice', () => {
    const folderOf = (file: string) => file.split('/')[0]!
    const edges = imports.filter(({ from }) => bundledFolders.includes(folderOf(from)))
    expect(edges.filter(({ to }) => !bundledFolders.includes(folderOf(to)))).toEqual([])
  })

  it('has no import from an adapter to a layer built on it', () => {
    const above = /^server\/(usecases|http|compose)\//
    const edges = imports.filter(({ from, to }) => adapters.some((one) => from.startsWith(`${one}/`)) && above.test(to))
    expect(edges).toEqual([])
  })

  it.each([
    ['server/domain/core/breach.ts', "import { a } from '../../usecases/core/b.ts'", serverLayers],
    ['server/usecases/core/breach.ts', "export { a } from '../../http/core/app.ts'", serverLayers],
    ['server/http/core/breach.ts', "const a = await import('../../compose/accounts.ts')", serverLayers],
    ['client/core/breach.ts', "import '../../widgets/kit/form/field.tsx'", browserLayers],
  ])('shows an upward import of %s', (file, text, layers) => {
    expect(upward(runtimeImports(file, text), layers)).toHaveLength(1)
  })

  it('detects an import between adapters, and ignores a type import', () => {
    const file = 'server/mailer/queue/breach.ts'
    expect(betweenAdapters(runtimeImports(file, "import { a } from '../../store/core/database.ts'"))).toHaveLength(1)
    expect(betweenAdapters(runtimeImports(file, "import type { A } from '../../store/core/database.ts'"))).toEqual([])
  })
})

describe('folders', () => {
  it(`hold at most ${folderMaxCount} source files`, () => {
    const counts = Map.groupBy(files, (file) => dirname(file))
    const large = [...counts].filter(([, inFolder]) => inFolder.length > folderMaxCount)
    expect(large.map(([folder, inFolder]) => `${folder}: ${inFolder.length}`)).toEqual([])
  })

  it('hold the files of one noun in each layer of the server', () => {
    const loose = files.filter((file) => /^server\/(domain|usecases|http|store|mailer)\/[^/]+\.ts$/.test(file))
    expect(loose.filter((file) => !/drizzle\.config\.ts$|store\/schema\.ts$/.test(file))).toEqual([])
  })
})
