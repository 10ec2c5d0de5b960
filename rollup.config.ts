import { join } from 'node:path'
import alias from '@rollup/plugin-alias'
import commonjsModule from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import replaceModule from '@rollup/plugin-replace'
import type { OutputOptions, Plugin, RollupOptions } from 'rollup'
import { preactInsteadOfReact, unusedParts } from './commands/build/aliases.ts'
import { cssText } from './commands/build/css-text.ts'
import { dashboardPage } from './commands/build/dashboard-page.ts'
import { inlineRoutes } from './commands/build/inline-routes.ts'
import { inlineSentences } from './commands/build/inline-sentences.ts'
import { licenseNote, licenses } from './commands/build/licenses.ts'
import { manifest } from './commands/build/manifest.ts'
import { minified } from './commands/build/minified.ts'
import { parts } from './commands/build/parts.ts'
import { pictures } from './commands/build/pictures.ts'
import { slimIcons } from './commands/build/slim-icons.ts'
import { slimPreact } from './commands/build/slim-preact.ts'
import { typescript } from './commands/build/typescript.ts'

/** One build: what rollup reads and what it writes. */
export interface Bundle extends RollupOptions {
  output: OutputOptions
}

const root = import.meta.dirname
// Their type files are CommonJS, so the compiler takes the function for a namespace that holds it.
const commonjs = commonjsModule as unknown as typeof commonjsModule.default
const replace = replaceModule as unknown as typeof replaceModule.default

function shared(
  aliases: Readonly<Record<string, string>>,
  { isModule = true, ...hints }: Partial<Pick<Parameters<typeof minified>[0], 'isModule' | 'isCalledOnLoad'>> = {},
): Plugin[] {
  return [
    ...readable({ ...unusedParts, ...aliases }, 'browser'),
    minified({ banner: isModule ? licenseNote : '', isModule, ...hints }),
    licenses(),
  ]
}

function readable(entries: Readonly<Record<string, string>>, runsIn: 'browser' | 'node'): Plugin[] {
  return [
    cssText(),
    pictures(),
    slimIcons(),
    slimPreact(),
    alias({ entries }),
    nodeResolve({ browser: runsIn === 'browser', extensions: ['.ts', '.tsx', '.mjs', '.js'] }),
    commonjs(),
    replace({
      preventAssignment: true,
      values: {
        'process.env.NODE_ENV': '"production"',
        // valtio asks for both: first whether there is an environment, then its mode.
        'import.meta.env.MODE': '"production"',
        'import.meta.env': 'true',
      },
    }),
    inlineRoutes(),
    inlineSentences(),
    typescript(),
  ]
}

const treeshake = {
  // An icon's component is not used, only its drawing (widgets/kit/icon/icon.tsx).
  manualPureFunctions: ['createLucideIcon'],
}

/** Small modules that several lazy screens share: left to rollup they would come with the first page. */
const screenParts: Readonly<Record<string, RegExp>> = {
  fields:
    /[\\/](dashboard[\\/]kit[\\/]use-search-key|widgets[\\/]kit[\\/]form[\\/](field|text-field|text-area|select-field|password-field))\b/,
  contacts: /[\\/]dashboard[\\/](content[\\/]contacts|shell[\\/]site-footer)\b/,
  writing:
    /[\\/]widgets[\\/]compose[\\/]\w+[\\/](empty-variables|undo)\.ts$|[\\/](unique-recipients|idempotency-key)\.ts$/,
  consent: /[\\/]scope-labels\.ts$|[\\/]client[\\/]embed[\\/]embed-session\.ts$/,
  times: /[\\/]pages[\\/]embeds[\\/]time\.tsx$/,
  // Icons of the shell that other screens show as well: alone, they drag those screens' parts into the first one.
  marks:
    /[\\/]icons[\\/](arrow-left|at-sign|check|chart-no-axes-column|chevron-down|lock|monitor|pause|play|refresh-cw|trash|search|mail|megaphone|circle-check|plus|code-xml|library|layout-template)\.mjs$/,
}

/** What wouter brings along for React before 18. */
const builtIntoReact = { 'use-sync-external-store/shim/index.js': 'react' }

/** The dashboard, on React: `dist/dashboard`. */
export function dashboardBundle(outputFolder: string): Bundle {
  return {
    input: { main: join(root, 'dashboard/main.tsx') },
    treeshake,
    plugins: [...shared(builtIntoReact), dashboardPage(join(root, 'dashboard')), manifest(root)],
    output: {
      dir: outputFolder,
      ...exactly,
      format: 'es',
      entryFileNames: 'assets/[name]-[hash].js',
      chunkFileNames: 'assets/[name]-[hash].js',
      // Files of a few hundred bytes cost more to ask for than to send.
      experimentalMinChunkSize: 1500,
      manualChunks: (id) => Object.keys(screenParts).find((name) => screenParts[name]?.test(id)),
      assetFileNames: 'assets/[name]-[hash][extname]',
    },
  }
}

/** The dashboard once more, for `commands/build/pages.ts`, which renders the public pages with it. */
export function prerenderBundle(outputFolder: string): Bundle {
  const { 'react-dom/server': _empty, ...entries } = unusedParts
  return {
    input: { prerender: join(root, 'dashboard/prerender.tsx') },
    treeshake,
    // React's server for browsers holds a message channel open, and the build would never end.
    plugins: readable(entries, 'node'),
    output: { dir: outputFolder, format: 'es', inlineDynamicImports: true },
  }
}

const widgets = {
  core: join(root, 'loader/element/frame.ts'),
  compose: join(root, 'widgets/compose/compose-element.tsx'),
  'config-manager': join(root, 'widgets/config-manager/config-manager-element.tsx'),
  'template-picker': join(root, 'widgets/template-picker/template-picker-element.tsx'),
}

/** The widgets for other people's pages, on Preact: `dist/embed`, with a manifest that names each entry's files. */
export function widgetsBundle(outputFolder: string, input: Readonly<Record<string, string>> = widgets): Bundle {
  return {
    input,
    treeshake,
    // An entry may export more than it says, so that its lazy parts share its file instead of a third.
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      ...(input === widgets ? [parts(root)] : []),
      ...shared(preactInsteadOfReact, { isCalledOnLoad: (name) => /^(core|compose)$/.test(name) }),
      manifest(root),
    ],
    output: {
      dir: outputFolder,
      ...exactly,
      format: 'es',
      // Without a hash: they lie in the folder of a version, which ends in one, and hashes do not compress.
      entryFileNames: '[name]-part.js',
      chunkFileNames: '[name]-part.js',
      manualChunks: (id) => Object.keys(chunks).find((name) => chunks[name]?.test(id)),
    },
  }
}

/** A page of examples/ that is written in React, as one file. */
export function exampleBundle(entry: string): Bundle {
  return { input: entry, plugins: shared({}), output: { format: 'es' } }
}

/** The script tag; `buildLoader` hands in what it must know of the widgets' files. */
export function loaderBundle(values: Readonly<Record<string, string>>): Bundle {
  return {
    input: { loader: join(root, 'loader/loader.ts') },
    plugins: [replace({ preventAssignment: true, values }), ...shared({}, { isModule: false })],
    output: { format: 'iife', strict: false },
  }
}

/** Modules that make a file of their own in `dist/embed`: `core`, `kit` and
 * `client` are fetched once for a whole page, `purify` when it is needed. */
const chunks: Readonly<Record<string, RegExp>> = {
  core: /[\\/]node_modules[\\/](preact|@preact|valtio|proxy-compare)[\\/]|[\\/]widgets[\\/]kit[\\/](?:\w+[\\/])?(boundary|shadow-host|shadow-root|slim-shadow|sheet|icon|text|tokens|use-module)\.|[\\/]lib[\\/](messages[\\/]messages?|compose-messages)\.ts$|[\\/]loader[\\/](element[\\/](frame|backdrop)|options[\\/]options|lazy-import)\b|[\\/]icons[\\/]circle-x\.mjs$|empty-module/,
  kit: /[\\/]widgets[\\/](kit[\\/]form[\\/]button|compose[\\/]compose-state)\b|[\\/]icons[\\/]send\.mjs$/,
  fields: /[\\/]widgets[\\/]kit[\\/]form[\\/](field|text-field|text-area)\b/,
  owner: /[\\/]client[\\/]mail[\\/]config-owner\.ts$|[\\/]config-manager[\\/](acts-store|provider-store)\.ts$/,
  // All of what a session takes in one file: the loader knows its hash.
  client:
    /[\\/]client[\\/]\w+[\\/](config|mailbox-list|http|shared-list|session)\b|[\\/]contract[\\/]\w+[\\/]((?:message\.|config\.)?limits|errors|embed-scopes)\.ts$|[\\/]loader[\\/]session[\\/]sessions?\.ts$|[\\/]kit[\\/]text[\\/]rich-text\.tsx$/,
  notices:
    /[\\/]widgets[\\/]kit[\\/](overlay[\\/]dialog|feedback[\\/]banner)\b|[\\/]icons[\\/](x|info|circle-check|circle-exclamation-point|triangle-exclamation-point)\.mjs$/,
  launch:
    /[\\/]compose[\\/]\w+[\\/](launch-dialogs|launch-store|outcome|progress|send-question)\b|[\\/]client[\\/]\w+[\\/](message|event-stream)\.ts$|[\\/]send-messages\.ts$/,
  recipients: /[\\/]recipient(s|-chips|-table|-store)\.(ts|tsx|css\.js)$|[\\/]contract[\\/]core[\\/]address\.ts$/,
  purify: /[\\/]node_modules[\\/]dompurify[\\/]|[\\/]lib[\\/](plain|cut)-attributes?\.ts$/,
}

/** Modules that are not named stay where they are used: without it, a named one takes all it imports along. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- it is how Rollup 5 will do it without being asked
const exactly = { onlyExplicitManualChunks: true } as OutputOptions

export default [
  dashboardBundle(join(root, 'dist/dashboard')),
  widgetsBundle(join(root, 'dist/embed')),
] satisfies RollupOptions[]
