import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rollup } from 'rollup'
import packageJson from '../../package.json' with { type: 'json' }
import type { BuiltEmbed } from '../../contract/embed-files.ts'
import type { Bundle } from '../../rollup.config.ts'
import { failOnWarning } from './log.ts'
import type { Manifest } from './manifest.ts'

/**
 * What the loader knows by itself: the composer's files, and what its session takes, so that neither waits for the table,
 * where those of other widgets stand.
 */
const first = ['core', 'compose', 'loader/sessions.ts', 'client/config-list.ts']
const versionMark = '@@version@@'

/**
 * Builds `loader.js` beside the widgets' files, and `embed.json`. The loader carries the hashes of what a widget starts
 * with, and of the table that holds those of all that is fetched when used. The version ends in a hash of everything, so
 * that no address under it ever holds anything else.
 */
export async function buildLoader(
  folder: string,
  bundle: (values: Readonly<Record<string, string>>) => Bundle,
): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const texts = new Map<string, string>()
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.js')).sort()) {
    texts.set(name, await readFile(join(folder, name), 'utf8'))
  }
  const listOf = (names: readonly string[]) => names.flatMap((name) => [name, integrityOf(texts.get(name) ?? '')])
  const lists = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(manifest)
        .filter(([name]) => isWanted(name))
        .map(([name, { file, imports }]) =>
          // A part is asked for by its file, and by the core, which has come by then.
          name.includes('/')
            ? [file, listOf([file, ...imports.filter((one) => one !== manifest['core']?.file)])]
            : [name, listOf([file, ...imports])],
        ),
    )

  // Whatever a page asks for: `constructor` is the name of nothing.
  const objectOf = (lists: Record<string, string[]>) => JSON.stringify(lists).replace('{', '{"__proto__":null,')
  const later = lists((name) => !first.includes(name))
  const table = `export const table=${objectOf(later)}\n`
  const tableFile = `parts-${createHash('sha256').update(table).digest('base64url').slice(0, 8)}.js`
  const known = { ...lists((name) => first.includes(name)), parts: [tableFile, integrityOf(table)] }
  texts.set(tableFile, table)
  const options = bundle({
    'import.meta.env.FILES': objectOf(known),
    'import.meta.env.VERSION': JSON.stringify(versionMark),
  })
  const made = await rollup({ ...options, onLog: failOnWarning })
  const { output } = await made.generate(options.output)
  await made.close()

  const hash = createHash('sha256')
  for (const [name, text] of [...texts, ['loader.js', output[0].code] as const]) hash.update(`${name}\0${text}`)
  const version = `${packageJson.version}-${hash.digest('hex').slice(0, 8)}`
  texts.set('loader.js', output[0].code.replaceAll(versionMark, version))
  const integrity = Object.fromEntries([...texts].map(([name, text]) => [name, integrityOf(text)]))
  const built = { version, integrity } satisfies BuiltEmbed
  await Promise.all([
    ...[tableFile, 'loader.js'].map((name) => writeFile(join(folder, name), texts.get(name) ?? '')),
    writeFile(join(folder, 'embed.json'), JSON.stringify(built, null, 2)),
  ])
}

const integrityOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
