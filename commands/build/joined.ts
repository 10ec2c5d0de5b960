import { createHash } from 'node:crypto'
import { parseAst } from 'rollup/parseAst'
import type { Manifest } from './manifest.ts'

/** The folder, within a version's folder, of the files that a joined loader fetches. */
export const joinedFolder = 'joined/'

/**
 * Writes a widget and its initial modules as functions: each runs when it is first required, and once per page, however
 * many loaders contain it. The script declares `variable`, which maps `core` and the widget's name to a function that returns
 * the module.
 */
export function joinWidget(
  widget: string,
  variable: string,
  { texts, manifest }: { texts: ReadonlyMap<string, string>; manifest: Manifest },
): string {
  const [core = '', ...others] = filesOf(manifest, widget)
  const names = [core, ...others]
  const nameOf = new Map(names.map((file, index) => [file, `$module${index}`]))
  const modules = names.map((file) => {
    const text = textOf(texts, file)
    return `${nameOf.get(file)}=()=>$once("${keyOf(text)}",()=>{${bodyOf(text, parse(text), nameOf)}})`
  })
  // Lazy files find all of these: another widget may load the kit before this one does.
  const start = [...nameOf.values()].slice(1, -1).concat(nameOf.get(core) ?? '')
  const [own = ''] = [...nameOf.values()].slice(-1)
  return [
    'const $once=(key,make)=>globalThis[key=Symbol.for(key)]??=make()',
    ...modules,
    `${variable}={__proto__:null,core:()=>(${start.map((name) => `${name}()`).join()}),${JSON.stringify(widget)}:${own}}`,
  ].join(',')
}

/** The initial modules of a widget: the core first, its own file last. */
export function filesOf(manifest: Manifest, widget: string): string[] {
  const [core, own] = [entryOf(manifest, 'core'), entryOf(manifest, widget)]
  return [...new Set([core.file, ...own.imports, own.file])]
}

/** The replacement of a module for files that import it: its exports, read from the joined loader. */
export function standIn(text: string): string {
  return `const $held=globalThis[Symbol.for("${keyOf(text)}")]\n${exportHeld(parse(text))}`
}

/**
 * The same module for a page whose loader may include it: it runs unless the loader has run it. So a lazy module that imports
 * it gets the instance that renders.
 */
export function runOnce(text: string): string {
  const nodes = parse(text)
  const imports = nodes.filter(({ type }) => type === 'ImportDeclaration')
  const rest = nodes.filter(({ type }) => type !== 'ImportDeclaration')
  return [
    ...imports.map(({ start, end }) => text.slice(start, end)),
    `const $held=globalThis[Symbol.for("${keyOf(text)}")]??=(()=>{${bodyOf(text, rest)}})()`,
    exportHeld(nodes),
  ].join('\n')
}

/** Named by content: two versions may have different modules of one name. */
const keyOf = (text: string) => `sendwright ${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`

/** The statements as a function: exports become the returned object, imports come from the function of their file. */
function bodyOf(text: string, nodes: readonly Placed[], nameOf: ReadonlyMap<string, string> = new Map()): string {
  const statements = nodes.map((node) => {
    if (node.type === 'ImportDeclaration') {
      const from = nameOf.get(String(node.source.value).replace(/^\.\//, ''))
      const taken = node.specifiers.map((one) => {
        if (one.type !== 'ImportSpecifier') throw new Error('A namespace import is not supported.')
        return `${nameIn(one.imported)}:${one.local.name}`
      })
      if (from === undefined) throw new Error(`${String(node.source.value)} is imported and not joined.`)
      return `const{${taken.join()}}=${from}()`
    }
    if (isExport(node))
      return `return{${node.specifiers.map((one) => `${nameIn(one.exported)}:${nameIn(one.local)}`).join()}}`
    if (node.type.startsWith('Export')) throw new Error('This form of export is not supported.')
    return text.slice(node.start, node.end)
  })
  return statements.join(';\n')
}

/** The exports of a module, as names of `$held`; the module's own imports may have the same names. */
function exportHeld(nodes: readonly Placed[]): string {
  const names = nodes.flatMap((node) => (isExport(node) ? node.specifiers.map((one) => nameIn(one.exported)) : []))
  const taken = names.map((name, index) => `${name}:$${index}`).join()
  return `const{${taken}}=$held\nexport{${names.map((name, index) => `$${index} as ${name}`).join()}}\n`
}

type Statement = ReturnType<typeof parseAst>['body'][number]
type Placed = Statement & { start: number; end: number }
type Export = Extract<Statement, { type: 'ExportNamedDeclaration' }>

const isExport = (node: Statement): node is Export =>
  node.type === 'ExportNamedDeclaration' && (node.declaration ?? node.source ?? null) === null

const parse = (text: string) => parseAst(text).body as Placed[]

function nameIn(node: { type: string; name?: string; value?: unknown }): string {
  if (node.type !== 'Identifier' || node.name === undefined) throw new Error('A name is not an identifier.')
  return node.name
}

function textOf(texts: ReadonlyMap<string, string>, file: string): string {
  const text = texts.get(file)
  if (text === undefined) throw new Error(`${file} was not built.`)
  return text
}

function entryOf(manifest: Manifest, name: string): Manifest[string] {
  const entry = manifest[name]
  if (entry === undefined) throw new Error(`No entry ${name} was built.`)
  return entry
}
