import { createHash } from 'node:crypto'
import { parseAst } from 'rollup/parseAst'
import type { Manifest } from './manifest.ts'

/** Where the files lie that a joined loader fetches, in a version's folder. */
export const joinedFolder = 'joined/'

/**
 * Writes a widget, and all that it starts with, as functions: each runs when it is first asked for, and once in a page,
 * however many loaders hold it. The script declares `variable`: by `core` and by the widget's name, what gives the module.
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
  // Whatever is fetched later finds all of these: another widget may take the kit before this one does.
  const start = [...nameOf.values()].slice(1, -1).concat(nameOf.get(core) ?? '')
  const [own = ''] = [...nameOf.values()].slice(-1)
  return [
    'const $once=(key,make)=>globalThis[key=Symbol.for(key)]??=make()',
    ...modules,
    `${variable}={__proto__:null,core:()=>(${start.map((name) => `${name}()`).join()}),${JSON.stringify(widget)}:${own}}`,
  ].join(',')
}

/** What a widget starts with: the core first, its own file last. */
export function filesOf(manifest: Manifest, widget: string): string[] {
  const [core, own] = [entryOf(manifest, 'core'), entryOf(manifest, widget)]
  return [...new Set([core.file, ...own.imports, own.file])]
}

/** What stands in a module's place for files that import it: its names, taken from where a joined loader has put it. */
export function standIn(text: string): string {
  return `const $held=globalThis[Symbol.for("${keyOf(text)}")]\n${exportHeld(parse(text))}`
}

/**
 * The same module for a page whose loader may have it inside: it runs unless it has run there. So a part that imports it
 * gets the one that draws.
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

/** By its content: two versions may hold different modules under one name. */
const keyOf = (text: string) => `sendwright ${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`

/** Statements of a function: what is exported becomes what it gives, what is imported comes from the function of its file. */
function bodyOf(text: string, nodes: readonly Placed[], nameOf: ReadonlyMap<string, string> = new Map()): string {
  const statements = nodes.map((node) => {
    if (node.type === 'ImportDeclaration') {
      const from = nameOf.get(String(node.source.value).replace(/^\.\//, ''))
      const taken = node.specifiers.map((one) => {
        if (one.type !== 'ImportSpecifier') throw new Error('A module is imported whole.')
        return `${nameIn(one.imported)}:${one.local.name}`
      })
      if (from === undefined) throw new Error(`${String(node.source.value)} is imported and not joined.`)
      return `const{${taken.join()}}=${from}()`
    }
    if (isExport(node))
      return `return{${node.specifiers.map((one) => `${nameIn(one.exported)}:${nameIn(one.local)}`).join()}}`
    if (node.type.startsWith('Export')) throw new Error('A module exports in a way that is not known here.')
    return text.slice(node.start, node.end)
  })
  return statements.join(';\n')
}

/** What a module exports, as names of `$held`; the module's own imports may have the same ones. */
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
