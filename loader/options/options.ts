import type { OptionName, Options } from '../contract.ts'

/** `apply-options.ts` checks `density`, `hide` and `readonly`. */
const patterns: Readonly<Partial<Record<OptionName, RegExp>>> = {
  theme: /^(light|dark|auto)$/,
  radius: /^\d\d?(px)?$/,
  lang: /^[a-z]{2,3}(-\w+)*$/i,
  load: /^visible$/,
  draft: /^(on|off)$/,
  mode: /^(text|html)$/,
}

/** The name of an option whose value means nothing, or `secret`; `bad-option.ts` has the sentence. */
export function findBadOption(options: Options, element: Element): OptionName | 'secret' | undefined {
  const values = [...Object.values(options), ...[...element.attributes].map(({ value }) => value)]
  if (values.some((value) => /^\s*(at|ck)_/.test(value))) return 'secret'
  return (Object.keys(options) as OptionName[]).find((name) => {
    const value = options[name]!
    return name === 'accent' ? !CSS.supports('color', value) : patterns[name]?.test(value) === false
  })
}

/** Options of an element: its own `data-sendwright-<name>`, else the script's `data-<name>`. */
export function optionsOf(element: Element, script: HTMLScriptElement): Options {
  const options: Record<string, string> = { api: script.src && new URL(script.src).origin }
  const read = (from: Element, start: string) => {
    for (const { name, value } of from.attributes) {
      if (name.startsWith(start) && !name.endsWith('-state')) options[name.slice(start.length)] = value
    }
  }
  read(script, 'data-')
  read(element, 'data-sendwright-')
  return options
}
