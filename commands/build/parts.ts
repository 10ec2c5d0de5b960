import { join } from 'node:path'
import type { Plugin } from 'rollup'

/**
 * Verifies the hash of every lazy file of the embed: an `import()` in our code becomes a call of `loader/lazy-import.ts` with the
 * name of the file, which fetches it and its imports by their hashes.
 */
export function parts(root: string): Plugin {
  const partFile = join(root, 'loader/lazy-import.ts')
  return {
    name: 'parts',
    transform: {
      // After the types have been removed.
      order: 'post',
      handler(code, id) {
        if (/[\\/]node_modules[\\/]/.test(id)) return null
        const calls = code.replaceAll(dynamicImport, '__part(import($1))')
        if (calls === code) return null
        return { code: `import { part as __part } from ${JSON.stringify(partFile)}\n${calls}`, map: null }
      },
    },
    renderDynamicImport: () => ({ left: '(', right: '.slice(2))' }),
    // Rollup appends code after the path when one of the module's names is used: `.then(…)` belongs to the call.
    renderChunk: (code) => ({ code: code.replaceAll(rendered, '($1("$3")'), map: null }),
  }
}

const dynamicImport = /\bimport\((\s*['"]\.[^)]*)\)/g
const rendered = /(?<![\w$])([\w$]+)\(\((['"])\.\/([^'"]+)\2\.slice\(2\)\)/g
