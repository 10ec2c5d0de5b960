import type { Box, Colour, Sides } from '../contract/design/design.ts'
import type { StyleSheet } from './style-sheet.ts'
import { attributes } from './text-style.ts'

export const tableStart = '<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%"'

export const paddingOf = (sides: Sides) => `padding:${sides.map((side) => (side === 0 ? '0' : `${side}px`)).join(' ')}`

/** `bgcolor`, `class` and `style` of a table or a cell, with a leading blank. `css` and `classNames` come first. */
export function boxAttributes(
  box: Box,
  sheet: StyleSheet,
  css: readonly string[] = [],
  fill: Colour | undefined = box.background,
): string {
  const paint = fill === undefined ? null : sheet.colour(fill, 'background-color')
  const frame = box.border === undefined ? null : sheet.colour(box.border.colour, 'border-color')
  const given = attributes(
    [paint?.className ?? '', frame?.className ?? '', sheet.wideClass(wideCss(box))],
    [
      ...css,
      box.padding === undefined ? '' : paddingOf(box.padding),
      ...borderCss(box, frame?.hex ?? ''),
      box.radius === undefined ? '' : `border-radius:${box.radius}px`,
      paint?.css ?? '',
    ],
  )
  return (paint === null ? '' : ` bgcolor="${paint.hex}"`) + given
}

function wideCss({ wide }: Box): string[] {
  return [
    wide?.padding === undefined ? '' : paddingOf(wide.padding),
    wide?.height === undefined ? '' : `height:${wide.height}px`,
    wide?.width === undefined ? '' : `width:${wide.width}px`,
  ].filter((css) => css !== '')
}

function borderCss({ border }: Box, hex: string): string[] {
  if (border === undefined) return []
  const line = `${border.width}px ${border.style} ${hex}`
  return border.sides === undefined ? [`border:${line}`] : border.sides.map((side) => `border-${side}:${line}`)
}

/** Whether a box changes anything. */
export function isPlainBox({ padding, background, border, radius, wide }: Box): boolean {
  const isPadded = padding?.some((side) => side > 0) === true
  return !isPadded && background === undefined && border === undefined && radius === undefined && wide === undefined
}
