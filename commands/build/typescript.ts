import { transform } from '@swc/core'
import type { Plugin } from 'rollup'

/** Turns TypeScript and JSX into JavaScript, one file at a time; tsc checks the types apart from the build. */
export function typescript(): Plugin {
  return {
    name: 'typescript',
    async transform(code, id) {
      if (!/\.tsx?$/.test(id)) return null
      const result = await transform(code, {
        filename: id,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: id.endsWith('x') },
          transform: { react: { runtime: 'automatic' } },
        },
      })
      return { code: result.code, map: null }
    },
  }
}
