import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rollup } from 'rollup'
import { publicUrlMark, type BuiltPages } from '../../contract/core/pages.ts'
import type { SitePage } from '../../dashboard/site-pages.ts'
import type { Bundle } from '../../rollup.config.ts'
import { failOnWarning } from './log.ts'
import type { Manifest } from './manifest.ts'

/** The exports of the bundle of `dashboard/prerender.tsx`. */
interface Prerender {
  renderPage: (path: string) => Promise<string>
  renderNotFound: () => string
  sitePages: readonly SitePage[]
}

const notFoundFile = 'pages/404.html'

/**
 * Writes an HTML file for each route of the product into a built dashboard, and `pages.json`, the server's index of them.
 * Public pages are prerendered; the others have an empty mount point. `bundle` is the dashboard built for Node.
 */
export async function writePages(folder: string, bundle: (folder: string) => Bundle): Promise<void> {
  const template = await readFile(join(folder, 'index.html'), 'utf8')
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const { renderPage, renderNotFound, sitePages } = await loadPrerender(join(folder, 'prerender'), bundle)
  const write = async (file: string, head: readonly string[], content: string) => {
    const html = template.replace('<!-- about -->', () => head.join('\n    ')).replace('<!-- page -->', () => content)
    await writeFile(join(folder, file), html)
  }

  await mkdir(join(folder, 'pages'))
  const pages = []
  for (const page of sitePages) {
    const file = `pages/${fileNameOf(page.path)}.html`
    await write(
      file,
      [...about(page), ...ahead(page, manifest)],
      page.kind === 'rendered' ? await renderPage(page.path) : '',
    )
    pages.push({ path: page.path, file, isListed: page.isListed })
  }
  await write(
    notFoundFile,
    ['<title>Nothing is here</title>', '<meta name="robots" content="noindex" />'],
    renderNotFound(),
  )
  await makeStill(join(folder, notFoundFile))
  const built: BuiltPages = { pages, notFoundFile, fixedFiles: fixedFilesIn(template) }
  await writeFile(join(folder, 'pages.json'), JSON.stringify(built, null, 2))
  await rm(join(folder, 'index.html'))
}

/** Runs the dashboard's own code here, so that the first render in a browser matches the HTML. */
async function loadPrerender(folder: string, bundle: (folder: string) => Bundle): Promise<Prerender> {
  const options = bundle(folder)
  const made = await rollup({ ...options, onLog: failOnWarning })
  await made.write(options.output)
  await made.close()
  try {
    return (await import(pathToFileURL(join(folder, 'prerender.js')).href)) as Prerender
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** `/forgot_password/{reset_token}` → `forgot_password-reset_token`. */
function fileNameOf(path: string): string {
  const name = path.slice(1).replaceAll('/', '-').replaceAll(/[{}]/g, '')
  // Two spellings of a path must not be the same file on a case-insensitive file system.
  return name === '' ? 'home' : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function about({ path, about: { title, description }, isListed }: SitePage): string[] {
  const url = publicUrlMark + path
  const text = { title: escapeHtml(title), description: escapeHtml(description) }
  return [
    `<title>${text.title}</title>`,
    `<meta name="description" content="${text.description}" />`,
    ...(isListed
      ? [`<link rel="canonical" href="${url}" />`, `<meta property="og:url" content="${url}" />`]
      : ['<meta name="robots" content="noindex" />']),
    `<meta property="og:type" content="website" />`,
    `<meta property="og:title" content="${text.title}" />`,
    `<meta property="og:description" content="${text.description}" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
  ]
}

/** Preloads the page's own chunk. */
function ahead({ part }: SitePage, manifest: Manifest): string[] {
  if (part === null) return []
  const files = manifest[part]
  if (files === undefined) throw new Error(`The dashboard has no chunk ${part}.`)
  const known = new Set([manifest['main']?.file, ...(manifest['main']?.imports ?? [])])
  return [files.file, ...files.imports]
    .filter((file) => !known.has(file))
    .map((file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low" />`)
}

/** Removes the dashboard's script from a page: at an unknown route it would redirect to /. */
async function makeStill(file: string): Promise<void> {
  const html = await readFile(file, 'utf8')
  await writeFile(
    file,
    html.replaceAll(/(?<!\s)\s*<script type="module"[^>]*><\/script>|(?<!\s)\s*<link rel="modulepreload"[^>]*>/g, ''),
  )
}

/** The head links the icon; some browsers request it at its default path anyway. */
function fixedFilesIn(template: string): Record<string, string> {
  const icon = /<link rel="icon" href="\/(assets\/[^"]+\.ico)"/.exec(template)?.[1]
  if (icon === undefined) throw new Error('dashboard/index.html links no .ico icon.')
  return { '/favicon.ico': icon }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
