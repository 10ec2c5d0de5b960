import type { Block, Design, Inline } from '../contract/design/design.ts'
import { escapeTemplate, escapeText, variableTag } from './merge-text.ts'

/** The title of a mail's document: its first heading, else its preheader. */
export function titleOf({ rows, preheader }: Design): string {
  for (const row of rows) {
    if (row.showIf !== undefined) continue
    const heading = firstHeading(row.columns.flatMap(({ blocks }) => blocks))
    if (heading !== null) return heading.map(inTitle).join('').trim() || 'Message'
  }
  return preheader === '' ? 'Message' : escapeTemplate(preheader, 'text')
}

function firstHeading(blocks: readonly Block[]): Inline[] | null {
  for (const block of blocks) {
    if (block.type === 'heading') return block.content
    const cells = block.type === 'table' ? block.rows.flatMap((row) => row.cells) : []
    const inner = firstHeading(cells.flatMap((cell) => cell.blocks))
    if (inner !== null) return inner
  }
  return null
}

function inTitle(piece: Inline): string {
  if ('break' in piece) return ' '
  return 'text' in piece
    ? escapeText(piece.text)
    : variableTag({ name: piece.variable, fallback: piece.fallback }, 'text')
}
