import type { HtmlBlock } from '../../../../../contract/design/design.ts'
import { escapeText } from '../../../../../mail-design/merge-text.ts'
import { StyleSheet } from '../../../../../mail-design/style-sheet.ts'
import { cutAttribute } from '../../../../lib/cut-attribute.ts'

/** Renders for the canvas: marks blocks, columns and variables, so that they are found in the nodes (draw-row.ts). */
export class CanvasSheet extends StyleSheet {
  /** Code of HTML blocks by id: it is drawn apart, so that its styles stay in it. */
  readonly code = new Map<string, string>()

  override mark(kind: 'block' | 'column', name: string, html: string): string {
    return `<div ${cutAttribute}="${kind} ${escapeText(name)}">${html}</div>`
  }

  override variable({ name, fallback }: { name: string; fallback: string }): string {
    return `<span ${cutAttribute}="variable ${escapeText(name)}">${escapeText(fallback || name)}</span>`
  }

  override htmlBlock(block: HtmlBlock): string {
    this.code.set(block.id, block.html)
    // The theme's classes that the code uses, and nothing else of it.
    super.htmlBlock(block)
    return `<div ${cutAttribute}="html ${escapeText(block.id)}"></div>`
  }
}
