import type { Colour, FontName, TextSizes, TextStyle } from '../contract/design/design.ts'
import type { StyleSheet } from './style-sheet.ts'

const stacks: Readonly<Record<FontName, string>> = {
  helvetica: "'Helvetica Neue',Helvetica,Arial,sans-serif",
  arial: 'Arial,Helvetica,sans-serif',
  verdana: 'Verdana,Geneva,sans-serif',
  tahoma: 'Tahoma,Verdana,sans-serif',
  trebuchet: "'Trebuchet MS',Helvetica,sans-serif",
  georgia: "Georgia,'Times New Roman',serif",
  times: "'Times New Roman',Times,serif",
  courier: "'Courier New',Courier,monospace",
  menlo: "Menlo,Consolas,'Courier New',monospace",
}

export const fontStack = (font: FontName) => stacks[font]

/** Sizes of headings by level, and of other texts. */
export const headingSizes = {
  1: { size: 34, lineHeight: 42 },
  2: { size: 24, lineHeight: 32 },
  3: { size: 18, lineHeight: 26 },
}
export const headingStyle = (level: 1 | 2 | 3, sheet: StyleSheet): TextStyle => ({
  ...headingSizes[level],
  ...{ font: sheet.theme.headingFont, weight: 700, after: 12 },
})
export const textStyle: TextStyle = { size: 16, lineHeight: 26, after: 16 }

/** The later style wins, also in what differs on wide screens. */
export function mergeStyles(...styles: readonly (TextStyle | undefined)[]): TextStyle {
  const merged: TextStyle = Object.assign({}, ...styles) as TextStyle
  const wide = Object.assign({}, ...styles.map((style) => wideOver(style))) as TextSizes
  return { ...merged, wide }
}

/** A size that a later style sets also replaces the wide size of an earlier one. */
function wideOver(style: TextStyle | undefined): TextStyle['wide'] {
  if (style === undefined) return {}
  const { size, lineHeight, letterSpacing, before, after, indent } = style
  const own = { size, lineHeight, letterSpacing, before, after, indent }
  return { ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)), ...style.wide }
}

/** `class` and `style` attributes, with a leading blank; '' for none. */
export function attributes(classNames: readonly string[], css: readonly string[]): string {
  const names = classNames.filter((name) => name !== '')
  const styles = css.filter((each) => each !== '')
  const classes = names.length === 0 ? '' : ` class="${names.join(' ')}"`
  return classes + (styles.length === 0 ? '' : ` style="${styles.join(';')}"`)
}

/** The attributes of a paragraph or heading. */
export function textAttributes(style: TextStyle, sheet: StyleSheet, defaultColour: Colour = 'text'): string {
  const { css: colourCss, className } = sheet.colour(style.colour ?? defaultColour, 'color')
  const css = [
    `margin:${style.before ?? 0}px 0 ${style.after ?? 0}px${style.indent === undefined ? '' : ` ${style.indent}px`}`,
    `font-family:${stacks[style.font ?? sheet.theme.font]}`,
    `font-size:${style.size ?? 16}px`,
    `line-height:${style.lineHeight ?? 26}px`,
    `font-weight:${style.weight ?? 400}`,
    style.italic === true ? 'font-style:italic' : '',
    style.letterSpacing === undefined || style.letterSpacing === 0 ? '' : `letter-spacing:${style.letterSpacing}px`,
    style.uppercase === true ? 'text-transform:uppercase' : '',
    style.align === undefined ? '' : `text-align:${style.align}`,
    style.nowrap === true ? 'white-space:nowrap' : '',
    style.breakWords === true ? 'word-break:break-word' : '',
    colourCss,
  ]
  return attributes([className, sheet.wideClass(wideDeclarations(style))], css)
}

const wideProperties = [
  ['size', 'font-size'],
  ['lineHeight', 'line-height'],
  ['letterSpacing', 'letter-spacing'],
  ['before', 'margin-top'],
  ['after', 'margin-bottom'],
  ['indent', 'margin-left'],
] as const

function wideDeclarations(style: TextStyle): string[] {
  return wideProperties.flatMap(([name, property]) => {
    const value = style.wide?.[name]
    return value === undefined || value === (style[name] ?? 0) ? [] : [`${property}:${value}px`]
  })
}
