import type { RollupOptions } from 'rollup'

/** Lets no warning of a build pass. */
export const failOnWarning: RollupOptions['onLog'] = (level, log) => {
  // "use client" speaks to servers that render React for each request; there is none here.
  if (level === 'warn' && log.code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(log.message)
}
