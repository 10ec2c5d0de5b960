import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from '@swc/core'
import { bundleAsync } from 'lightningcss'
import type { Plugin, PluginContext } from 'rollup'
import { publicUrlMark } from '../../contract/core/pages.ts'

/** Fonts of the first screen: the page preloads them before its stylesheet. */
const preloaded = ['instrument-sans-latin-wght-normal', 'newsreader-latin-wght-normal']

/**
 * Writes the dashboard's page: `index.html` from its template, one stylesheet with separate font files, and the script that
 * sets the colour scheme before the first paint. The content policy requires that all come from our own origin; the names
 * contain a hash of their content.
 */
export function dashboardPage(folder: string): Plugin {
  return {
    name: 'dashboard-page',
    async generateBundle(_options, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
      if (entry === undefined) throw new Error('The dashboard has no entry chunk.')
      const fonts = new Map<string, string>()
      const styles = await emitStyles(this, join(folder, 'main.css'), fonts)
      const scheme = await emitScript(this, join(folder, 'first-paint.ts'))
      const file = async (name: string) => emit(this, name, await readFile(join(folder, 'pictures', name)))
      const head = [
        `<script src="${scheme}"></script>`,
        `<link rel="stylesheet" href="${styles}" />`,
        `<link rel="icon" href="${await file('favicon.ico')}" sizes="32x32" />`,
        `<link rel="icon" type="image/svg+xml" href="${await file('icon.svg')}" />`,
        `<link rel="apple-touch-icon" href="${await file('touch-icon.png')}" />`,
        `<meta property="og:image" content="${publicUrlMark}${await file('social.png')}" />`,
        ...[...fonts].flatMap(([name, href]) =>
          preloaded.some((start) => name.startsWith(start))
            ? [`<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin />`]
            : [],
        ),
        // Prerendered pages are readable before their scripts load: styles and fonts come first.
        ...(entry.type === 'chunk' ? entry.imports : []).map(
          (file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low" />`,
        ),
        `<script type="module" src="/${entry.fileName}" fetchpriority="low"></script>`,
      ]
      const template = await readFile(join(folder, 'index.html'), 'utf8')
      if (!template.includes('<!-- head -->')) throw new Error('dashboard/index.html has no <!-- head --> mark.')
      const source = template.replace('<!-- head -->', head.join('\n    '))
      this.emitFile({ type: 'asset', fileName: 'index.html', source })
    },
  }
}

function emit(context: PluginContext, name: string, source: string | Uint8Array): string {
  return `/${context.getFileName(context.emitFile({ type: 'asset', name, source }))}`
}

async function emitStyles(context: PluginContext, entry: string, fonts: Map<string, string>): Promise<string> {
  const { code, dependencies } = await bundleAsync({
    filename: entry,
    minify: true,
    analyzeDependencies: true,
    resolver: {
      resolve: (source, from) =>
        source.startsWith('.') ? join(dirname(from), source) : createRequire(from).resolve(source),
    },
  })
  let text = Buffer.from(code).toString()
  for (const dependency of dependencies ?? []) {
    if (dependency.type !== 'url' || dependency.url.startsWith('data:')) continue
    const path = fileURLToPath(new URL(dependency.url, pathToFileURL(dependency.loc.filePath)))
    const href = emit(context, basename(path), await readFile(path))
    fonts.set(basename(path), href)
    text = text.replaceAll(dependency.placeholder, href)
  }
  return emit(context, 'main.css', text)
}

async function emitScript(context: PluginContext, file: string): Promise<string> {
  const { code } = await transform(await readFile(file, 'utf8'), {
    filename: file,
    isModule: false,
    minify: true,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022', minify: { compress: true, mangle: { toplevel: true } } },
  })
  return emit(context, `${basename(file, '.ts')}.js`, code)
}
