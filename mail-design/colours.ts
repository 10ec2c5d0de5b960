import type { Colour, ColourRole, Hex, Paint, Theme } from '../contract/design/design.ts'

/** A colour in light and dark mode; `dark` null: it does not change. `role`: the theme's name for it. */
export interface ResolvedColour {
  light: Hex
  dark: Hex | null
  role: ColourRole | null
}

/** How a colour is used: fills become dark in dark mode, texts light. */
export type ColourUse = 'color' | 'background-color' | 'border-color'

export function resolveColour(colour: Colour, use: ColourUse, theme: Theme): ResolvedColour {
  const role = typeof colour === 'string' && !colour.startsWith('#') ? (colour as ColourRole) : null
  const paint = role === null ? (colour as Paint) : themePaint(role, theme)
  const light = typeof paint === 'string' ? paint : paint.light
  if (theme.dark === 'off') return { light, dark: null, role }
  const dark = typeof paint === 'string' ? darkVariant(paint, use) : paint.dark
  return { light, dark: dark.toLowerCase() === light.toLowerCase() ? null : dark, role }
}

/** A colour of the theme; `tint` to `line` derive from the others if absent. */
function themePaint(role: ColourRole, theme: Theme): Paint {
  const own = theme[role]
  if (own !== undefined) return own
  if (role === 'tint') return theme.surface
  if (role === 'quiet') return theme.text
  if (role === 'footer') return theme.quiet ?? theme.text
  if (role === 'onAccent') return contrasting(theme.accent)
  return mixed(theme.text, theme.surface)
}

const lightOf = (paint: Paint) => (typeof paint === 'string' ? paint : paint.light)
const darkOf = (paint: Paint, use: ColourUse) => (typeof paint === 'string' ? darkVariant(paint, use) : paint.dark)

/** Black or white, whichever is easier to read on a fill. */
function contrasting(fill: Paint): Paint {
  const on = (hex: Hex): Hex => (luminance(hex) > 0.36 ? '#141414' : '#ffffff')
  return { light: on(lightOf(fill)), dark: on(darkOf(fill, 'background-color')) }
}

/** Contrast of a text on a fill in light mode (WCAG 2): 1 to 21. */
export function contrastOf(text: Colour, fill: Colour, theme: Theme): number {
  const [one, other] = [
    luminance(resolveColour(text, 'color', theme).light),
    luminance(resolveColour(fill, 'background-color', theme).light),
  ]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function mixed(text: Paint, surface: Paint): Paint {
  const mix = (a: Hex, b: Hex): Hex => {
    const [front, back] = [channels(a), channels(b)]
    return toHex(front.map((value, at) => value * 0.22 + (back[at] ?? 0) * 0.78))
  }
  return {
    light: mix(lightOf(text), lightOf(surface)),
    dark: mix(darkOf(text, 'color'), darkOf(surface, 'background-color')),
  }
}

/** The dark variant of a colour that has none: light fills become dark, dark texts light, the hue stays. */
function darkVariant(hex: Hex, use: ColourUse): Hex {
  const [hue, saturation, lightness] = toHsl(hex)
  if (use === 'color') return lightness < 0.5 ? fromHsl(hue, Math.min(saturation, 0.7), 0.93 - lightness * 0.4) : hex
  return lightness > 0.5 ? fromHsl(hue, Math.min(saturation, 0.4), 0.05 + (1 - lightness) * 0.3) : hex
}

function channels(hex: Hex): number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
}

function toHex(values: readonly number[]): Hex {
  return `#${values.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance (WCAG 2), 0 to 1. */
function luminance(hex: Hex): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Hue 0 to 6, saturation and lightness 0 to 1. */
function toHsl(hex: Hex): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((value) => value / 255)
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const [lightness, range] = [(max + min) / 2, max - min]
  if (range === 0) return [0, 0, lightness]
  const hue =
    max === red
      ? ((green - blue) / range + 6) % 6
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  return [hue, range / (1 - Math.abs(2 * lightness - 1)), lightness]
}

function fromHsl(hue: number, saturation: number, lightness: number): Hex {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  return toHex(
    [0, 8, 4].map((offset) => {
      const at = (offset + hue * 2) % 12
      return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
    }),
  )
}
