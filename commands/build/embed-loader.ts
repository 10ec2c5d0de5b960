import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rollup } from 'rollup'
import packageJson from '../../package.json' with { type: 'json' }
import type { BuiltEmbed } from '../../contract/embed/embed-files.ts'
import { embedWidgets } from '../../contract/embed/embed-scopes.ts'
import type { Bundle } from '../../rollup.config.ts'
import { filesOf, joinedFolder, joinWidget, runOnce, standIn } from './joined.ts'
import { licenseNote } from './licenses.ts'
import { failOnWarning } from './log.ts'
import type { Manifest } from './manifest.ts'
import { compileHint } from './minified.ts'

/**
 * The hashes inside the loader: the composer's files and its session chunk, so that neither waits for the table with those of
 * the other widgets.
 */
const first = ['core', 'compose', 'loader/session/sessions.ts', 'client/mail/mailbox-list.ts']
const versionMark = '@@version@@'

type MakeLoader = (values: Readonly<Record<string, string>>) => Bundle

/**
 * Builds `loader.js` beside the widgets' files, a loader for each widget that includes it, and `embed.json`. A loader contains
 * the hashes of a widget's initial files, and of the table with those of all lazy files. The version ends in a hash of
 * everything, so that its URLs are immutable.
 */
export async function buildLoader(folder: string, bundle: MakeLoader): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const texts = new Map<string, string>()
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.js')).sort()) {
    texts.set(name, await readFile(join(folder, name), 'utf8'))
  }
  const loaders = new Map<string, string>()

  const alone = tableOf(manifest, texts, {
    isFirst: (name) => first.includes(name),
    isThere: (file) => file === manifest['core']?.file,
  })
  loaders.set('loader.js', await makeLoader(bundle, { ...alone, joined: 'null', folder: '' }))

  // Modules that every joined loader includes are read from it; those that only some include run if they are missing.
  const starts = embedWidgets.map((widget) => filesOf(manifest, widget))
  const inside = new Map(
    [...texts].map(([name, text]) => {
      const holders = starts.filter((files) => files.includes(name)).length
      return [name, holders === 0 ? text : holders === starts.length ? standIn(text) : runOnce(text)]
    }),
  )
  const beside = tableOf(manifest, inside, {
    isFirst: (name) => first.includes(name) && name.includes('/'),
    isThere: () => false,
  })
  for (const widget of embedWidgets) {
    const values = { ...beside, joined: '$joined', folder: joinedFolder }
    const script = joinWidget(widget, '$joined', { texts, manifest })
    const loader = await makeLoader(bundle, values)
    loaders.set(`${widget}.js`, `${compileHint}${licenseNote}(()=>{"use strict";${script};\n${loader}})()`)
  }

  texts.set(alone.tableFile, alone.table)
  inside.set(beside.tableFile, beside.table)
  for (const [name, text] of inside) texts.set(`${joinedFolder}${name}`, text)
  const hash = createHash('sha256')
  for (const [name, text] of [...texts, ...loaders]) hash.update(`${name}\0${text}`)
  const version = `${packageJson.version}-${hash.digest('hex').slice(0, 8)}`
  for (const [name, text] of loaders) texts.set(name, text.replaceAll(versionMark, version))
  const integrity = Object.fromEntries([...texts].map(([name, text]) => [name, integrityOf(text)]))
  const built = { version, integrity } satisfies BuiltEmbed
  await mkdir(join(folder, joinedFolder), { recursive: true })
  await Promise.all([
    ...[...texts].map(([name, text]) => writeFile(join(folder, name), text)),
    writeFile(join(folder, 'embed.json'), JSON.stringify(built, null, 2)),
  ])
}

interface Table {
  /** The hashes inside the loader and those in the table that it fetches: text of an object. */
  known: string
  table: string
  tableFile: string
}

/** `isThere` returns which files have loaded before any other is requested. */
function tableOf(
  manifest: Manifest,
  texts: ReadonlyMap<string, string>,
  { isFirst, isThere }: { isFirst: (name: string) => boolean; isThere: (file: string) => boolean },
): Table {
  const listOf = (names: readonly string[]) => names.flatMap((name) => [name, integrityOf(texts.get(name) ?? '')])
  const lists = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(manifest)
        .filter(([name]) => isWanted(name))
        .map(([name, { file, imports }]) =>
          // A lazy module is requested by its file.
          name.includes('/')
            ? [file, listOf([file, ...imports.filter((one) => !isThere(one))])]
            : [name, listOf([file, ...imports])],
        ),
    )
  // Any name that a page requests: `constructor` must not match.
  const objectOf = (lists: Record<string, string[]>) => JSON.stringify(lists).replace('{', '{"__proto__":null,')
  const table = `export const table=${objectOf(lists((name) => !isFirst(name)))}\n`
  const tableFile = 'parts-table.js'
  return { known: objectOf({ ...lists(isFirst), parts: [tableFile, integrityOf(table)] }), table, tableFile }
}

async function makeLoader(
  bundle: MakeLoader,
  { known, joined, folder }: { known: string; joined: string; folder: string },
): Promise<string> {
  const options = bundle({
    'import.meta.env.FILES': known,
    'import.meta.env.VERSION': JSON.stringify(versionMark),
    'import.meta.env.JOINED': joined,
    'import.meta.env.FOLDER': JSON.stringify(folder),
  })
  const made = await rollup({ ...options, onLog: failOnWarning })
  const { output } = await made.generate(options.output)
  await made.close()
  return output[0].code
}

const integrityOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
