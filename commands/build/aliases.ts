import { join } from 'node:path'

const empty = join(import.meta.dirname, 'empty-module.ts')

/** Modules that packages import and this product never executes: with them the React chunk is twice as large. */
export const unusedParts: Readonly<Record<string, string>> = {
  'react-shadow': 'react-shadow/react-shadow.esm.js',
  'react-dom/server': empty,
  'prop-types': empty,
}

/** The second renderer: the same files on Preact (docs/decisions/0004). */
export const preactInsteadOfReact: Readonly<Record<string, string>> = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  // The compile target of the test runner.
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react-dom/client': '@preact/compat/client',
  'react-dom': '@preact/compat',
  './shadow-div.tsx': join(import.meta.dirname, '../../widgets/kit/shadow/slim-shadow.tsx'),
  react: '@preact/compat',
}
