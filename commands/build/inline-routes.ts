import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'rollup'

/** Inlines the contract's routes into their modules: as modules of their own each would become a chunk. */
export function inlineRoutes(): Plugin {
  return {
    name: 'inline-routes',
    async transform(code, id) {
      const [line = '', path = ''] = /^import \* as routes from '([^']+\.routes\.ts)'$/m.exec(code) ?? []
      if (line === '') return null
      const file = resolve(dirname(id), path)
      this.addWatchFile(file)
      const text = await readFile(file, 'utf8')
      const routes = new Map(
        [...text.matchAll(/^export const (\w+) = ('[^']+')$/gm)].map(([, name, route]) => [name, route]),
      )
      const inlined = code.replace(line, '').replaceAll(/\broutes\.(\w+)/g, (_, name: string) => {
        const route = routes.get(name)
        if (route === undefined) throw new Error(`${path} has no route ${name}`)
        return route
      })
      return { code: inlined, map: null }
    },
  }
}
