import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Plugin } from 'rollup'

/** Makes `import { href } from './sent.webp'` return the URL of the picture, whose name contains a hash of its content. */
export function pictures(): Plugin {
  return {
    name: 'pictures',
    async load(id) {
      if (!id.endsWith('.webp')) return null
      this.addWatchFile(id)
      const source = await readFile(id)
      const hash = createHash('sha256').update(source).digest('base64url').replaceAll(/\W|_/g, '').slice(0, 8)
      const fileName = `assets/${basename(id, '.webp')}-${hash}.webp`
      this.emitFile({ type: 'asset', fileName, source })
      return `export const href = ${JSON.stringify(`/${fileName}`)}`
    },
  }
}
