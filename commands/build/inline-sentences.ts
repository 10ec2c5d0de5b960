import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rollup'
import type { Catalogue } from '../../widgets/lib/messages/messages.ts'

/** Writes the sentences of a language by their English text: a page fetches neither their keys nor the table of errors. */
export function inlineSentences(): Plugin {
  return {
    name: 'inline-sentences',
    async transform(_, id) {
      if (!/[\\/]server-sentences-\w+\.ts$/.test(id)) return null
      const { sentences } = (await import(pathToFileURL(id).href)) as { sentences: Catalogue }
      return { code: `export const sentences = ${JSON.stringify(sentences)}`, map: null }
    },
  }
}
