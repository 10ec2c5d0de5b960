import type { RollupOptions } from 'rollup'

/** Turns every warning of a build into an error. */
export const failOnWarning: RollupOptions['onLog'] = (level, log) => {
  // "use client" is for server rendering with React, which is not used here.
  if (level === 'warn' && log.code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(log.message)
}
