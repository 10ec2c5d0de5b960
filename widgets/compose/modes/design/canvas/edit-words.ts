import type { Block, Hex, Inline, List, Marks, Paragraph } from '../../../../../contract/design/design.ts'
import { renderInline } from '../../../../../mail-design/inline.ts'
import { cutAttribute } from '../../../../lib/cut-attribute.ts'
import { readMailPart } from '../../../../lib/mail-nodes.ts'
import { joined, readVariables } from '../document/words.ts'
import type { CanvasSheet } from './canvas-sheet.ts'

/** Blocks whose words are edited on the canvas. */
export type WordsBlock = Block & { type: 'heading' | 'text' | 'footer' | 'button' }
export const hasWords = (block: Block): block is WordsBlock =>
  ['heading', 'text', 'footer', 'button'].includes(block.type)

/**
 * Makes the words of a drawn block editable. The browser edits the nodes; `read` gives the block as they now say it.
 * Null if the block has no place for words.
 */
export function editWords(
  element: HTMLElement,
  block: WordsBlock,
  sheet: CanvasSheet,
): { place: HTMLElement; read: () => Block } | null {
  const place = block.type === 'button' ? element.querySelector<HTMLElement>('a') : element
  if (place === null) return null
  place.contentEditable = block.type === 'button' ? 'plaintext-only' : 'true'
  if (block.type === 'button') {
    place.textContent = block.label
    return { place, read: () => ({ ...block, label: place.textContent.replaceAll(/[\r\n]+/g, ' ') }) }
  }
  const pieces: Inline[] = []
  const write = (holder: Element, content: readonly Inline[]) => {
    const kept = [...holder.children].filter((child) => /^[UO]L$/.test(child.tagName))
    const html = content.map(
      (piece) => `<span ${cutAttribute}="${pieces.push(piece) - 1}">${renderInline([piece], sheet)}</span>`,
    )
    holder.replaceChildren(...readMailPart(html.join('')).childNodes, ...kept)
    // A place without text has no height of its own.
    if (content.length === 0) holder.prepend(document.createElement('br'))
  }
  if (block.type === 'heading') {
    const holder = element.firstElementChild
    if (holder !== null) write(holder, block.content)
  } else {
    const holders = [...element.querySelectorAll('p, li')]
    for (const [at, content] of holdersOf(block.content).entries()) {
      const holder = holders[at]
      if (holder !== undefined) write(holder, content)
    }
    for (const [at, child] of [...element.children].entries()) (child as HTMLElement).dataset['paragraph'] = String(at)
  }
  for (const span of place.querySelectorAll<HTMLElement>(`[${cutAttribute}]`)) {
    const name = span.getAttribute(cutAttribute) ?? ''
    span.removeAttribute(cutAttribute)
    if (name.startsWith('variable ')) {
      span.dataset['variable'] = name.slice(9)
      span.contentEditable = 'false'
    } else {
      span.dataset['piece'] = name
      const link = linkOf(pieces[Number(name)])
      if (link !== undefined) span.querySelector('a')?.setAttribute('href', link)
    }
  }
  const reader = new Reader(pieces)
  return {
    place,
    read: () =>
      block.type === 'heading'
        ? { ...block, content: reader.content(element) }
        : { ...block, content: reader.paragraphs(element, block.content) },
  }
}

/** A chip for a variable, to be put into words that are being edited. */
export function variableChip(name: string, fallback: string): HTMLElement {
  const chip = document.createElement('span')
  chip.dataset['variable'] = name
  chip.dataset['fallback'] = fallback
  chip.contentEditable = 'false'
  chip.textContent = fallback || name
  return chip
}

const linkOf = (piece: Inline | undefined) => (piece === undefined || 'break' in piece ? undefined : piece.marks?.link)

/** The contents of paragraphs and list items, in the order of their elements. */
function holdersOf(paragraphs: readonly Paragraph[]): Inline[][] {
  const ofList = ({ items }: List): Inline[][] =>
    items.flatMap(({ content, list }) => [content, ...(list === undefined ? [] : ofList(list))])
  return paragraphs.flatMap((paragraph) => (paragraph.type === 'paragraph' ? [paragraph.content] : ofList(paragraph)))
}

const tagMarks: Readonly<Record<string, keyof Pick<Marks, 'b' | 'i' | 'u' | 's'>>> = {
  ...{ B: 'b', STRONG: 'b', I: 'i', EM: 'i', U: 'u', S: 's', STRIKE: 's', DEL: 's' },
}

/** Reads edited nodes. What a browser adds without meaning, such as styles of merged paragraphs, is left out. */
class Reader {
  private readonly pieces: readonly Inline[]

  constructor(pieces: readonly Inline[]) {
    this.pieces = pieces
  }

  paragraphs(element: Element, before: readonly Paragraph[]): Paragraph[] {
    const result: Paragraph[] = []
    let loose: Node[] = []
    const flush = () => {
      const content = this.contentOf(loose)
      loose = []
      if (content.length > 0) result.push({ type: 'paragraph', content })
    }
    for (const node of element.childNodes) {
      if (!(node instanceof HTMLElement) || !/^(P|DIV|UL|OL|H\d)$/.test(node.tagName)) {
        loose.push(node)
        continue
      }
      flush()
      const old = before[Number(node.dataset['paragraph'] ?? -1)]
      const style = old?.style !== undefined && { style: old.style }
      const isList = node.tagName === 'UL' || node.tagName === 'OL'
      if (isList) result.push({ type: 'list', ...this.list(node), ...style })
      else result.push({ type: 'paragraph', content: this.content(node), ...style })
    }
    flush()
    return result
  }

  private list(element: Element): List {
    const items = [...element.children].map((item) => {
      const inner = [...item.children].find((child) => /^[UO]L$/.test(child.tagName))
      return { content: this.content(item), ...(inner !== undefined && { list: this.list(inner) }) }
    })
    return { ordered: element.tagName === 'OL', items }
  }

  content(element: Element): Inline[] {
    return this.contentOf([...element.childNodes])
  }

  private contentOf(nodes: readonly Node[]): Inline[] {
    const content = nodes.flatMap((node) => this.pieceOf(node, {}))
    // A browser ends a place with a break that shows nothing.
    if (content.length > 0 && 'break' in (content.at(-1) ?? {})) content.pop()
    return readVariables(joined(content))
  }

  private pieceOf(node: Node, around: Marks): Inline[] {
    if (node instanceof Text) {
      const text = node.data.replaceAll('\u200b', '')
      return text === '' ? [] : [{ text, ...withMarks(around) }]
    }
    if (!(node instanceof HTMLElement) || node.tagName === 'UL' || node.tagName === 'OL') return []
    if (node.tagName === 'BR') return [{ break: true }]
    const { variable, fallback } = node.dataset
    if (variable !== undefined) {
      const own = this.pieces[Number(node.closest<HTMLElement>('[data-piece]')?.dataset['piece'] ?? -1)]
      const known = own !== undefined && 'variable' in own && own.variable === variable ? own.fallback : ''
      return [{ variable, fallback: fallback ?? known, ...withMarks(around) }]
    }
    const marks = this.marksOf(node, around)
    return [...node.childNodes].flatMap((child) => this.pieceOf(child, marks))
  }

  private marksOf(node: HTMLElement, around: Marks): Marks {
    const marks: Marks = { ...around }
    const piece = this.pieces[Number(node.dataset['piece'] ?? -1)]
    if (piece !== undefined && !('break' in piece)) {
      // Bold, italic, lines and links are read from the elements: those can have been taken out.
      const { b: _b, i: _i, u, s: _s, link: _link, ...rest } = piece.marks ?? {}
      Object.assign(marks, rest, u === false && { u })
    }
    const own = tagMarks[node.tagName]
    if (own !== undefined) marks[own] = true
    const link = node.tagName === 'A' ? node.getAttribute('href') : null
    if (link !== null && link !== '') marks.link = link
    const colour = node.tagName === 'FONT' ? node.getAttribute('color') : null
    if (colour !== null && /^#[0-9a-f]{6}$/i.test(colour)) marks.colour = colour as Hex
    return marks
  }
}

const withMarks = (marks: Marks) => (Object.keys(marks).length === 0 ? {} : { marks })
