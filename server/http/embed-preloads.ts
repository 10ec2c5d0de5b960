import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { embedWidgets, type EmbedWidget } from '../../contract/embed-scopes.ts'
import type { BuiltEmbed } from '../../contract/embed-files.ts'

/** Of `manifest.json`: each widget's file, and those that come with it. */
type Files = Partial<Record<string, { file: string; imports: readonly string[] }>>

/** A file as it lies on the disk. */
interface Served {
  path: string
  modifiedMs: number
}

/**
 * What a browser may fetch together with the loader, for `/embed/loader.js?compose`: the widget's own files. They are
 * named in the loader's `Link` header, so that they are on their way before it runs; it then takes them with their hashes
 * as ever. As what `fetch` asks for: what fails to come as a module would not come again in that page.
 */
export function createPreloads(folder: string): (loader: Served, query: object) => string | null {
  const kept = new Map<string, Partial<Record<EmbedWidget, string>>>()

  const read = (place: string): Partial<Record<EmbedWidget, string>> => {
    const { version } = JSON.parse(readFileSync(join(place, 'embed.json'), 'utf8')) as BuiltEmbed
    const isNewest = place === folder
    const files = JSON.parse(readFileSync(join(folder, version, 'manifest.json'), 'utf8')) as Files
    const linksOf = (widget: EmbedWidget) => {
      const entries = [files['core'], files[widget]].flatMap((entry) => entry ?? [])
      return [...new Set(entries.flatMap(({ file, imports }) => [file, ...imports]))]
        .map((name) => `<${isNewest ? `${version}/` : ''}${name}>; rel=preload; as=fetch; crossorigin=anonymous`)
        .join(', ')
    }
    return Object.fromEntries(embedWidgets.map((widget) => [widget, linksOf(widget)]))
  }

  return ({ path, modifiedMs }, query) => {
    const widget = embedWidgets.find((name) => Object.hasOwn(query, name))
    if (widget === undefined) return null
    const key = `${path} ${modifiedMs}`
    let links = kept.get(key)
    if (links === undefined) {
      try {
        links = read(dirname(path))
      } catch {
        links = {} // The loader asks for them itself, only later.
      }
      kept.set(key, links)
    }
    return links[widget] ?? null
  }
}
