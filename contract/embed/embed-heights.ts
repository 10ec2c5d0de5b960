import type { EmbedWidget } from './embed-scopes.ts'

/**
 * Room that a page keeps for a widget, in px, the line that offers a sign-in included: no script can reserve it in time,
 * so the pasted element does. `narrow` is for what is narrower than `wideFromPx`.
 */
export const widgetHeightsPx: Readonly<Record<EmbedWidget, { wide: number; narrow: number }>> = {
  compose: { wide: 736, narrow: 1232 },
  'template-picker': { wide: 512, narrow: 608 },
  'config-manager': { wide: 560, narrow: 880 },
}

/** Width of the page, in px, from which on a widget has room for two columns: its own 860, and a margin at each side. */
export const wideFromPx = 920

/** The same as a CSS value that distinguishes wide from narrow without a media query, because it is in a `style` attribute. */
export function reservedHeight(widget: EmbedWidget): string {
  const { wide, narrow } = widgetHeightsPx[widget]
  return `clamp(${wide}px, (${wideFromPx}px - 100vw) * 999, ${narrow}px)`
}
