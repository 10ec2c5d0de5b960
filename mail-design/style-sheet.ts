import { wideScreenMinPx } from '../contract/design/design.limits.ts'
import { colourRoles, type Colour, type HtmlBlock, type Theme } from '../contract/design/design.ts'
import type { MergeVariable } from '../contract/mail/merge-variables.ts'
import { resolveColour, type ColourUse } from './colours.ts'
import { variableTag } from './merge-text.ts'

const prefixes = { color: 'c', 'background-color': 'b', 'border-color': 'l' } as const
const uses = Object.entries(prefixes).map(([use, prefix]) => ({ use: use as ColourUse, prefix }))

function rulesOf(map: ReadonlyMap<string, string>): string {
  return [...map].map(([declarations, name]) => `.${name}{${declarations}}`).join('')
}

interface ShownColour {
  css: string
  hex: string
  className: string
}

/** Collects what inline styles cannot express, while a mail is rendered: wide screens and dark mode. */
export class StyleSheet {
  readonly theme: Theme
  private readonly wide = new Map<string, string>()
  private readonly dark = new Map<string, string>()
  private readonly foreign: string[] = []
  private readonly colours: Record<string, ShownColour> = {}

  constructor(theme: Theme) {
    this.theme = theme
  }

  /** A colour in light mode, and the class that changes it in dark mode; '' for none. */
  colour(colour: Colour, use: ColourUse): ShownColour {
    return (this.colours[use + JSON.stringify(colour)] ??= this.addColour(colour, use))
  }

  private addColour(colour: Colour, use: ColourUse): ShownColour {
    const { light, dark, role } = resolveColour(colour, use, this.theme)
    const css = `${use}:${light}`
    if (dark === null) return { css, hex: light, className: '' }
    const declaration = `${use}:${dark}!important`
    const className = this.nameOf(this.dark, declaration, role === null ? prefixes[use] : `${prefixes[use]}-${role}`)
    return { css, hex: light, className }
  }

  /** The class of declarations for wide screens; '' for none. */
  wideClass(declarations: readonly string[]): string {
    if (declarations.length === 0) return ''
    return this.nameOf(this.wide, declarations.map((each) => `${each}!important`).join(';'), 'w')
  }

  /** The HTML of a block or column; an editor marks it here to find it again. */
  mark(_kind: 'block' | 'column', _name: string, html: string): string {
    return html
  }

  /** A merge variable in a text. */
  variable(variable: MergeVariable): string {
    return variableTag(variable, 'text')
  }

  htmlBlock({ html }: HtmlBlock): string {
    return this.addHtml(html)
  }

  /** Takes style sheets of an HTML block, and the theme's classes that it uses: `c-text`, `b-surface`, `l-line`. */
  private addHtml(html: string): string {
    for (const [, prefix, role] of html.matchAll(/\b([bcl])-([a-zA-Z]+)\b/g)) {
      const use = uses.find((each) => each.prefix === prefix)?.use
      const known = colourRoles.find((each) => each === role)
      if (use !== undefined && known !== undefined) this.colour(known, use)
    }
    return html.replace(/<style>([^<]*)<\/style>/g, (_found, css: string) => {
      this.foreign.push(css.trim())
      return ''
    })
  }

  get css(): string {
    const wide =
      this.wide.size === 0 ? '' : `@media only screen and (min-width:${wideScreenMinPx}px){${rulesOf(this.wide)}}`
    const dark = this.dark.size === 0 ? '' : `@media (prefers-color-scheme:dark){${rulesOf(this.dark)}}`
    return [wide, ...this.foreign, dark].filter((part) => part !== '').join('\n')
  }

  /** The rules without their conditions, for a screen that is wide, dark, both or neither. */
  cssFor({ isWide, isDark }: { isWide: boolean; isDark: boolean }): string {
    return (isWide ? rulesOf(this.wide) : '') + (isDark ? rulesOf(this.dark) : '')
  }

  /** The class of these declarations. A theme colour keeps its readable name; others are numbered. */
  private nameOf(map: Map<string, string>, declarations: string, name: string): string {
    const known = map.get(declarations)
    if (known !== undefined) return known
    const isTaken = !name.includes('-') || [...map.values()].includes(name)
    const className = isTaken ? `${name}${map.size + 1}` : name
    map.set(declarations, className)
    return className
  }
}
