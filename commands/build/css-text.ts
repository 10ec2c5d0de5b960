import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { transform } from 'lightningcss'
import type { Plugin } from 'rollup'

const prefix = '\0css:'

/**
 * Makes `import { css } from './button.css'` return the minified text of the file: widgets adopt it as a stylesheet object,
 * because a strict content policy blocks a `<style>` in a shadow root. Works with rollup and vitest.
 */
export function cssText(): Plugin & { enforce: 'pre' } {
  return {
    name: 'css-text',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!/^\..*\.css$/.test(source) || importer === undefined) return null
      // The `.js` prevents vite from treating the text as a stylesheet of the page.
      return `${prefix}${join(dirname(importer), source)}.js`
    },
    async load(id) {
      if (!id.startsWith(prefix)) return null
      const file = id.slice(prefix.length, -'.js'.length)
      this.addWatchFile(file)
      const { code } = transform({ filename: file, code: await readFile(file), minify: true })
      return `export const css = ${JSON.stringify(Buffer.from(code).toString())}`
    },
  }
}
