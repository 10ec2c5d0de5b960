import type { Plugin } from 'rollup'

type Cut = readonly (readonly [part: RegExp, instead: string])[]

/** Features of `@preact/compat` for old React components that no widget uses. */
const compat: Cut = [
  [
    /,\["componentWillMount","componentWillReceiveProps","componentWillUpdate"\]\.forEach\(.*?value:\w\}\)\}\}\)\}\)(?=;)/,
    '',
  ],
  [/\w\.persist=function\(\)\{\},\w\.isPropagationStopped=[^,]+,\w\.isDefaultPrevented=[^,]+,/, ''],
  // SVG attributes in camel case: icons use only these.
  [/\/\^\(\?:accent\|alignment\|[^/]+\[A-Z\]\//, '/^(?:fill|stroke)[A-Z]/'],
]

/** Features of `preact` for hydration, raw HTML, MathML and old class components that no widget uses. */
const preact: Cut = [
  // Hydration: before a component renders, when it throws, and when it is removed.
  [/128&\w\.__u&&\(\w=32&\w\.__u,\w=\w\.__c\.__z\)&&\(.*?\|\|\w\),(?=\(\w=\w\.__b\))/, ''],
  [
    /if\((\w\.length=\w,\w\.__v=null),\w\|\|\w\)if\(\w&&\w\.then\)\{.*?\}else \w&&\w\.some\(\w\);else (\w\.__e=\w\.__e);/,
    '$1,$2;',
  ],
  [/!\w&&\(\w=\w\.__c\)&&\(\w=\w\.__z\)&&\(.*?\),(?=\w\|\|\w\(\w\.__e\))/, ''],
  [/"dangerouslySetInnerHTML"==\w\?\w=\w:/g, ''],
  [
    /\w\?\(\w\|\|\w&&\(\w\.__html==\w\.__html\|\|\w\.__html==\w\.innerHTML\)\|\|\(\w\.innerHTML=\w\.__html\),\w\.__k=\[\]\):\(\w&&\(\w\.textContent=""\),/,
    '(',
  ],
  [/"math"==\w\?\w="[^"]+MathML":/, ''],
  [/\|\|"[^"]+MathML"==\w&&\w\.test\(\w\)/, ''],
  [
    /\w!==\w&&\w&&!\w\.getDerivedStateFromProps&&\w\.componentWillReceiveProps&&\w\.componentWillReceiveProps\(\w,\w\),/,
    '',
  ],
  [/\w&&!\w\.getDerivedStateFromProps&&\w\.componentWillMount&&\w\.componentWillMount\(\),/, ''],
  [/\w\.componentWillUpdate&&\w\.componentWillUpdate\(\w,\w\.__s,\w\),/, ''],
  [/,\w&&\w\.__c&&\w\.getSnapshotBeforeUpdate&&\(\w=\w\.getSnapshotBeforeUpdate\(\w,\w\)\)/, ''],
]

const cuts: readonly (readonly [file: RegExp, cut: Cut])[] = [
  [/[\\/]preact[\\/]compat[\\/]dist[\\/]compat\.mjs$/, compat],
  [/[\\/]preact[\\/]dist[\\/]preact\.mjs$/, preact],
]

/** Removes from Preact what no widget uses. Fails if a new version has different code. */
export function slimPreact(): Plugin {
  return {
    name: 'slim-preact',
    transform(code, id) {
      const [, cut] = cuts.find(([file]) => file.test(id)) ?? []
      if (cut === undefined) return null
      const slim = cut.reduce((text, [part, instead]) => {
        if (!part.test(text)) throw new Error('The code of Preact has changed: update commands/build/slim-preact.ts.')
        return text.replace(part, instead)
      }, code)
      return { code: slim, map: null }
    },
  }
}
