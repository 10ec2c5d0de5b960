import { createSheet } from '../../widgets/kit/shadow/sheet.ts'
import { css } from './compact.css'
import type { Options } from '../contract.ts'

const sheet = createSheet(css)

/** Draws a widget tighter, or as it was, as `density` says; `root` is the widget's own. */
export function compact(frame: HTMLElement, root: ShadowRoot, { density }: Options): void {
  const isCompact = density === 'compact'
  frame.style.setProperty('--sendwright-density', isCompact ? '.75' : '')
  const others = root.adoptedStyleSheets.filter((one) => one !== sheet())
  root.adoptedStyleSheets = isCompact ? [...others, sheet()] : others
}
