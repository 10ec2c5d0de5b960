import { describe, expect, it } from 'vitest'
import type { Hex } from '../contract/design/design.ts'
import { sampleTheme } from '../tests/support/design-samples.ts'
import { contrastOf, resolveColour } from './colours.ts'

const theme = { ...sampleTheme, surface: '#ffffff', text: '#000000' } as const

describe('a colour without a dark variant', () => {
  it.each<[text: Hex, dark: Hex | null]>([
    ['#7f7f7f', '#bababa'],
    ['#808080', null],
    ['#cc0000', '#ed9b9b'],
    ['#cc6600', '#edc49b'],
    ['#cc0066', '#ed9bc4'],
    ['#00cc00', '#9bed9b'],
    ['#0000cc', '#9b9bed'],
  ])('of a text: %s becomes light below half of the lightness: %s', (text, dark) => {
    expect(resolveColour(text, 'color', theme).dark).toBe(dark)
  })

  it.each<[fill: Hex, dark: Hex | null]>([
    ['#7f7f7f', null],
    ['#808080', '#333333'],
    ['#ffe6cc', '#1d150c'],
    ['#ffccff', '#1d0c1d'],
    ['#ccffff', '#0c1d1d'],
  ])('of a fill: %s becomes dark above half of the lightness: %s', (fill, dark) => {
    expect(resolveColour(fill, 'background-color', theme).dark).toBe(dark)
  })
})

describe('a colour that the theme does not have', () => {
  it('is white on an accent of up to 0.36 of the luminance, and black on a lighter one', () => {
    const onAccent = (accent: Hex) => resolveColour('onAccent', 'color', { ...theme, accent }).light
    expect(['#a1a1a1' as const, '#a2a2a2' as const].map(onAccent)).toEqual(['#ffffff', '#141414'])
  })

  it('is a fifth of the text on the surface for a line', () => {
    expect(resolveColour('line', 'border-color', theme)).toEqual({ light: '#c7c7c7', dark: '#3e3e3e', role: 'line' })
  })
})

it.each<[text: Hex, contrast: number]>([
  ['#ffffff', 1],
  ['#000000', 21],
  ['#0a0a0a', 19.798],
  ['#0b0b0b', 19.683],
  ['#777777', 4.478],
  ['#ff0000', 3.998],
  ['#00ff00', 1.372],
  ['#0000ff', 8.592],
])('the contrast of %s on white is %f (WCAG 2)', (text, contrast) => {
  expect(contrastOf(text, '#ffffff', theme)).toBeCloseTo(contrast, 3)
})
