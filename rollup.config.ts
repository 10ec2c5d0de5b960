import { join } from 'node:path'
import alias from '@rollup/plugin-alias'
import commonjsModule from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import replaceModule from '@rollup/plugin-replace'
import type { OutputOptions, Plugin, RollupOptions } from 'rollup'
import { preactInsteadOfReact, unusedParts } from './commands/build/aliases.ts'
import { cssText } from './commands/build/css-text.ts'
import { dashboardPage } from './commands/build/dashboard-page.ts'
import { firstScreenModules } from './commands/build/first-screen.ts'
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

/** One build: its input and its output. */
export interface Bundle extends RollupOptions {
  output: OutputOptions
}

const root = import.meta.dirname
// Their type files are CommonJS, so the compiler treats the function as a namespace that contains it.
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
        // valtio reads both: first whether there is an environment, then its mode.
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
  // An icon's component is not used, only its SVG nodes (widgets/kit/icon/icon.tsx).
  manualPureFunctions: ['createLucideIcon'],
}

/** Small modules that several lazy screens share: by default they would load with the first page. */
const screenParts: Readonly<Record<string, RegExp>> = {
  api: /[\\/]client[\\/]core[\\/]http\.ts$/,
  fields:
    /[\\/](dashboard[\\/]kit[\\/]use-search-key|widgets[\\/]kit[\\/]form[\\/](field|text-field|text-area|select-field|password-field))\b/,
  contacts: /[\\/]dashboard[\\/](content[\\/]contacts|shell[\\/]site-footer)\b/,
  writing:
    /[\\/]widgets[\\/]compose[\\/]\w+[\\/](empty-variables|undo)\.ts$|[\\/](unique-recipients|idempotency-key)\.ts$/,
  consent: /[\\/]scope-labels\.ts$|[\\/]client[\\/]embed[\\/]embed-session\.ts$/,
  times: /[\\/]pages[\\/]embeds[\\/]time\.tsx$/,
  // Icons of the shell that other screens show as well: in a chunk of their own they would pull those screens' chunks into the first one.
  marks:
    /[\\/]icons[\\/](arrow-left|at-sign|check|chart-no-axes-column|chevron-down|lock|monitor|pause|play|refresh-cw|trash|search|mail|megaphone|circle-check|plus|code-xml|library|layout-template|ban|book-open|gauge|house|image|list|list-filter|log-out|moon|panel-left|reply|sun|upload|user-round|users)\.mjs$/,
}

/** Wouter's polyfill for React before 18. */
const builtIntoReact = { 'use-sync-external-store/shim/index.js': 'react' }

/** The dashboard, on React: `dist/dashboard`. */
export function dashboardBundle(outputFolder: string): Bundle {
  const isOfFirstScreen = firstScreenModules(join(root, 'dashboard'))
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
      // A request costs more than a file of a few hundred bytes.
      experimentalMinChunkSize: 1300,
      manualChunks: (id, meta) =>
        isOfFirstScreen(id, meta)
          ? 'first-screen'
          : Object.keys(screenParts).find((name) => screenParts[name]?.test(id)),
      assetFileNames: 'assets/[name]-[hash][extname]',
    },
  }
}

/** The dashboard for Node: `commands/build/pages.ts` prerenders the public pages with it. */
export function prerenderBundle(outputFolder: string): Bundle {
  const { 'react-dom/server': _empty, ...entries } = unusedParts
  return {
    input: { prerender: join(root, 'dashboard/prerender.tsx') },
    treeshake,
    // React's server renderer for browsers keeps a message channel open, so the build would never exit.
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

/** The widgets for third-party pages, on Preact: `dist/embed`, with a manifest that lists each entry's files. */
export function widgetsBundle(outputFolder: string, input: Readonly<Record<string, string>> = widgets): Bundle {
  return {
    input,
    treeshake,
    // An entry may export more than its source, so that its lazy chunks share its file instead of a third one.
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
      // Without a hash: the version's folder name ends in one, and hashes do not compress.
      entryFileNames: '[name]-part.js',
      chunkFileNames: '[name]-part.js',
      manualChunks: (id) => Object.keys(chunks).find((name) => chunks[name]?.test(id)),
    },
  }
}

/** A React page of examples/, as one file. */
export function exampleBundle(entry: string): Bundle {
  return { input: entry, plugins: shared({}), output: { format: 'es' } }
}

/** The script tag; `buildLoader` passes the hashes of the widgets' files. */
export function loaderBundle(values: Readonly<Record<string, string>>): Bundle {
  return {
    input: { loader: join(root, 'loader/loader.ts') },
    plugins: [replace({ preventAssignment: true, values }), ...shared({}, { isModule: false })],
    output: { format: 'iife', strict: false },
  }
}

/**
 * Modules with a file of their own in `dist/embed`: `core`, `kit` and
 * `client` are loaded once per page, `purify` when it is needed.
 */
const chunks: Readonly<Record<string, RegExp>> = {
  core: /[\\/]node_modules[\\/](preact|@preact|valtio|proxy-compare)[\\/]|[\\/]widgets[\\/]kit[\\/](?:\w+[\\/])?(boundary|shadow-host|shadow-root|slim-shadow|sheet|icon|text|tokens|use-module)\.|[\\/]lib[\\/](messages[\\/]messages?|compose-messages)\.ts$|[\\/]loader[\\/](element[\\/](frame|backdrop)|options[\\/]options|lazy-import)\b|[\\/]icons[\\/]circle-x\.mjs$|empty-module/,
  kit: /[\\/]widgets[\\/](kit[\\/]form[\\/]button|compose[\\/]compose-state)\b|[\\/]icons[\\/]send\.mjs$/,
  fields: /[\\/]widgets[\\/]kit[\\/]form[\\/](field|text-field|text-area)\b/,
  owner: /[\\/]client[\\/]mail[\\/]config-owner\.ts$|[\\/]config-manager[\\/](acts-store|provider-store)\.ts$/,
  // Everything that a session needs in one file: the loader contains its hash.
  client:
    /[\\/]client[\\/]\w+[\\/](config|mailbox-list|http|shared-list|session)\b|[\\/]contract[\\/]\w+[\\/]((?:message\.|config\.)?limits|errors|embed-scopes)\.ts$|[\\/]loader[\\/]session[\\/](sessions?|page-session|aliases|offers|scope-sheet)\.ts$|[\\/]kit[\\/]text[\\/]rich-text\.tsx$/,
  notices:
    /[\\/]widgets[\\/]kit[\\/](overlay[\\/]dialog|feedback[\\/]banner)\b|[\\/]icons[\\/](x|info|circle-check|circle-exclamation-point|triangle-exclamation-point)\.mjs$/,
  launch:
    /[\\/]compose[\\/]\w+[\\/](launch-dialogs|launch-store|outcome|progress|send-question)\b|[\\/]client[\\/]\w+[\\/](message|event-stream)\.ts$|[\\/]send-messages\.ts$/,
  recipients: /[\\/]recipient(s|-chips|-store)\.(ts|tsx|css\.js)$|[\\/]contract[\\/]core[\\/]address\.ts$/,
  sources:
    /[\\/]recipients-import[\\/](?!recipient-ways|ways)|[\\/]lib[\\/]recipient-rows\.ts$|[\\/]imports[\\/](csv|encoding)\.ts$/,
  names: /[\\/]variable-names\.ts$/,
  purify: /[\\/]node_modules[\\/]dompurify[\\/]|[\\/]lib[\\/](plain|cut)-attributes?\.ts$/,
}

/** Unlisted modules stay in the chunk that uses them: without this, a listed one includes all its imports. */
// oxlint-disable-next-line typescript/no-deprecated -- it is how Rollup 5 will do it without being asked
const exactly = { onlyExplicitManualChunks: true } as OutputOptions
