import { join } from 'node:path'
import type { Plugin } from 'rollup'

/**
 * Lets no file of the embed run unchecked: an `import()` of ours becomes a call of `loader/part.ts` with the name of the
 * file, which fetches it, and all that comes with it, by their hashes.
 */
export function parts(root: string): Plugin {
  const partFile = join(root, 'loader/part.ts')
  return {
    name: 'parts',
    transform(code, id) {
      if (/[\\/]node_modules[\\/]/.test(id) || !dynamicImport.test(code)) return null
      const calls = code.replaceAll(dynamicImport, '__part(import($1))')
      return { code: `import { part as __part } from ${JSON.stringify(partFile)}\n${calls}`, map: null }
    },
    renderDynamicImport: () => ({ left: '(', right: '.slice(2))' }),
  }
}

const dynamicImport = /\bimport\((\s*['"]\.[^)]*)\)/g
