import type { Plugin } from 'rollup'

/** What `@preact/compat` has for old React components, and no widget uses. */
const unused: readonly (readonly [part: RegExp, instead: string])[] = [
  [
    /,\["componentWillMount","componentWillReceiveProps","componentWillUpdate"\]\.forEach\(.*?value:\w\}\)\}\}\)\}\)(?=;)/,
    '',
  ],
  [/\w\.persist=function\(\)\{\},\w\.isPropagationStopped=[^,]+,\w\.isDefaultPrevented=[^,]+,/, ''],
  // Attributes of drawings that are written with a capital in React: icons have only these.
  [/\/\^\(\?:accent\|alignment\|[^/]+\[A-Z\]\//, '/^(?:fill|stroke)[A-Z]/'],
]

/** Leaves out of `@preact/compat` what only old components call. Fails where a new version is written in another way. */
export function slimPreact(): Plugin {
  return {
    name: 'slim-preact',
    transform(code, id) {
      if (!/[\\/]preact[\\/]compat[\\/]dist[\\/]compat\.mjs$/.test(id)) return null
      const slim = unused.reduce((text, [part, instead]) => {
        if (!part.test(text)) throw new Error('Preact is written in another way: see commands/build/slim-preact.ts.')
        return text.replace(part, instead)
      }, code)
      return { code: slim, map: null }
    },
  }
}
