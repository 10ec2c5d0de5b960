import type { Block, ButtonBlock, ImageBlock, Inline, TableBlock } from '../../../../contract/design/design.ts'
import type { MessageId } from '../../../lib/messages/messages-es.ts'
import type { Translate } from '../../../lib/messages/messages.ts'

/** A block as the text shows it. Styles are set through the object model: a strict page refuses style attributes. */
export function drawBlock(block: Block, t: Translate<MessageId>): HTMLElement {
  if (block.type === 'image') return drawImage(block)
  if (block.type === 'button') return drawButton(block)
  if (block.type === 'table') return drawTable(block)
  if (block.type === 'divider') return document.createElement('hr')
  const box = document.createElement('p')
  box.className = 'block-name'
  box.textContent = t(block.type === 'html' ? 'HTML code' : 'Block: {kind}', { kind: block.type })
  return box
}

function drawImage({ src, alt, width }: ImageBlock): HTMLElement {
  const image = document.createElement('img')
  if (/^https?:\/\//i.test(src)) image.src = src
  image.alt = alt
  if (width !== undefined) image.width = width
  return image
}

function drawButton({ label, fill, colour }: ButtonBlock): HTMLElement {
  const button = document.createElement('span')
  button.className = 'button-look'
  button.textContent = label
  if (typeof fill === 'string' && fill.startsWith('#')) button.style.backgroundColor = fill
  if (typeof colour === 'string' && colour.startsWith('#')) button.style.color = colour
  return button
}

function drawTable({ rows }: TableBlock): HTMLElement {
  const table = document.createElement('table')
  for (const { cells } of rows) {
    const line = table.insertRow()
    for (const cell of cells) {
      const box = document.createElement(cell.header === true ? 'th' : 'td')
      box.textContent = textOfBlocks(cell.blocks)
      if (cell.span !== undefined) box.colSpan = cell.span
      line.append(box)
    }
  }
  return table
}

/** The words of the blocks of a cell, with variables in braces. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'heading') return textOf(block.content)
      if (block.type === 'text' || block.type === 'footer')
        return block.content.map((part) => (part.type === 'list' ? '' : textOf(part.content))).join(' ')
      return block.type === 'button' ? block.label : ''
    })
    .join(' ')
    .trim()
}

const textOf = (content: readonly Inline[]) =>
  content
    .map((piece) => {
      if ('break' in piece) return ' '
      if ('text' in piece) return piece.text
      return piece.fallback === '' ? `{{${piece.variable}}}` : `{{${piece.variable} | default: "${piece.fallback}"}}`
    })
    .join('')
