import { fileURLToPath } from 'node:url'

const at = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))
const empty = fileURLToPath(new URL('empty-module.ts', import.meta.url))

/** Parts that packages import and this product never runs: left in, they double the React chunk. */
export const unusedParts: Readonly<Record<string, string>> = {
  'react-shadow': at('react-shadow').replace(/react-shadow\.js$/, 'react-shadow.esm.js'),
  'react-dom/server': empty,
  'prop-types': empty,
}

/** The second renderer: the same files on Preact (docs/decisions/0004). */
export const preactInsteadOfReact: Readonly<Record<string, string>> = {
  'react/jsx-runtime': at('preact/jsx-runtime'),
  // What the test runner compiles to.
  'react/jsx-dev-runtime': at('preact/jsx-runtime'),
  'react-dom/client': at('@preact/compat/client'),
  'react-dom': at('@preact/compat'),
  react: at('@preact/compat'),
}
