import { transform } from '@swc/core'
import type { Plugin } from 'rollup'

/** Compiles TypeScript and JSX to JavaScript, one file at a time; tsc checks the types separately. */
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
