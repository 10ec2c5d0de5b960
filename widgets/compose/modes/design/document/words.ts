import type { Block, Inline, Marks, Paragraph } from '../../../../../contract/design/design.ts'
import { innerBlocks } from './find.ts'

/** Joins neighbours with the same formatting. */
export function joined(content: readonly Inline[]): Inline[] {
  const result: Inline[] = []
  for (const piece of content) {
    const last = result.at(-1)
    if (last !== undefined && 'text' in last && 'text' in piece && isSame(last.marks, piece.marks))
      result[result.length - 1] = { ...last, text: last.text + piece.text }
    else if (!('text' in piece) || piece.text !== '') result.push(piece)
  }
  return result
}

const isSame = (one: Marks | undefined, other: Marks | undefined) =>
  JSON.stringify(one ?? {}) === JSON.stringify(other ?? {})

const variable = /\{\{ ?([\p{L}_][\p{L}\p{N}_.-]{0,99}) ?(?:\| ?default: ?(?:"([^"<>{}]*)"|'([^'<>{}]*)') ?)?\}\}/gu

/** Variables that were typed become pieces of their own. */
export function readVariables(content: readonly Inline[]): Inline[] {
  return content.flatMap((piece) => {
    if (!('text' in piece) || !piece.text.includes('{{')) return [piece]
    const pieces: Inline[] = []
    const marks = piece.marks !== undefined && { marks: piece.marks }
    let at = 0
    for (const found of piece.text.matchAll(variable)) {
      if (found.index > at) pieces.push({ ...piece, text: piece.text.slice(at, found.index) })
      pieces.push({ variable: found[1] ?? '', fallback: found[2] ?? found[3] ?? '', ...marks })
      at = found.index + found[0].length
    }
    return at < piece.text.length ? [...pieces, { ...piece, text: piece.text.slice(at) }] : pieces
  })
}

/** As a person reads it: a variable by its default, else its name. */
export function plainWords(content: readonly Inline[]): string {
  return content
    .map((piece) => ('break' in piece ? ' ' : 'text' in piece ? piece.text : piece.fallback || piece.variable))
    .join('')
}

const paragraphWords = (paragraph: Paragraph): string =>
  paragraph.type === 'paragraph'
    ? plainWords(paragraph.content)
    : paragraph.items.map(({ content }) => plainWords(content)).join(' ')

/** What a list calls a block beside its kind; '' if it has no words. */
export function wordsOf(block: Block): string {
  switch (block.type) {
    case 'heading':
      return plainWords(block.content).trim()
    case 'text':
    case 'footer':
      return block.content.map(paragraphWords).join(' ').trim().slice(0, 80)
    case 'button':
      return block.label
    case 'image':
      return block.alt
    case 'menu':
    case 'social':
      return block.links.map(({ label }) => label).join(', ')
    case 'product':
      return block.name
    case 'html':
      return block.name ?? ''
    case 'table':
      return innerBlocks(block)
        .map(wordsOf)
        .filter((words) => words !== '')
        .join(' · ')
        .slice(0, 80)
    case 'divider':
    case 'spacer':
      return ''
  }
}
