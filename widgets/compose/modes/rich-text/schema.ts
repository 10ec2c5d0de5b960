import { Schema, type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec } from '@tiptap/pm/model'
import type { Block, Colour, Marks, TextStyle } from '../../../../contract/design/design.ts'

/** What a paragraph, list or heading keeps of the block that it came from. */
export interface BlockOrigin {
  id: string
  type: 'text' | 'footer'
  style?: TextStyle
  /** Space, fill and frame. */
  box?: Record<string, unknown>
}

/** Marks that the editor shows and has no tool for. */
export type OtherMarks = Pick<Marks, 'lineHeight' | 'font' | 'dropCap'>

const flow = { origin: { default: null }, style: { default: null } }

const paragraph: NodeSpec = {
  group: 'flow',
  content: 'inline*',
  attrs: flow,
  parseDOM: [{ tag: 'p' }, { tag: 'div' }, { tag: 'blockquote' }, { tag: 'pre' }],
  toDOM: () => ['p', 0],
}

const list = (tag: 'ul' | 'ol'): NodeSpec => ({
  group: 'flow list',
  content: 'item+',
  attrs: flow,
  parseDOM: [{ tag }],
  toDOM: () => [tag, 0],
})

const item: NodeSpec = {
  content: 'paragraph list?',
  defining: true,
  parseDOM: [{ tag: 'li' }],
  toDOM: () => ['li', 0],
}

const heading: NodeSpec = {
  group: 'flow',
  content: 'inline*',
  defining: true,
  attrs: { level: { default: 2 }, block: { default: null } },
  parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level: Math.min(3, level) } })),
  toDOM: (node) => [`h${String(levelOf(node))}`, 0],
}

/** A block without text of its own, such as a picture or a button; a node view draws it. */
const object: NodeSpec = {
  group: 'flow',
  atom: true,
  selectable: true,
  draggable: true,
  attrs: { block: {} },
  toDOM: () => ['div', { class: 'object' }],
}

const variable: NodeSpec = {
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,
  attrs: { name: {}, fallback: { default: '' } },
  leafText: (node) => `{{${variableOf(node).name}}}`,
  toDOM: (node) => {
    const { name, fallback } = variableOf(node)
    const title = fallback === '' ? name : `${name}: ${fallback}`
    return ['span', { class: 'variable', contenteditable: 'false', translate: 'no', title }, name]
  },
}

const simple = (tag: string, ...others: string[]): MarkSpec => ({
  parseDOM: [tag, ...others].map((name) => ({ tag: name })),
  toDOM: () => [tag, 0],
})

/** Through the object model: a strict page refuses style attributes. */
function styled(property: string, value: string): DOMOutputSpec {
  const dom = document.createElement('span')
  dom.style.setProperty(property, value)
  return { dom, contentDOM: dom }
}

/** Colours of the theme are shown as the text's own. */
function hexOf(colour: Colour): string {
  if (typeof colour !== 'string') return colour.light
  return colour.startsWith('#') ? colour : ''
}

/** Text, variables, lists, headings and whole blocks: what a design document can hold, as an editor needs it. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'flow+' },
    paragraph,
    bullets: list('ul'),
    numbers: list('ol'),
    item,
    heading,
    object,
    text: { group: 'inline' },
    variable,
    break: {
      group: 'inline',
      inline: true,
      selectable: false,
      leafText: () => '\n',
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  marks: {
    // Not underlined where a design says so.
    link: {
      attrs: { href: {}, underlined: { default: true } },
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: (element) => ({ href: element.getAttribute('href') }) }],
      toDOM: (mark) => ['a', { href: String(mark.attrs['href']), rel: 'noopener noreferrer' }, 0],
    },
    b: simple('b', 'strong'),
    i: simple('i', 'em'),
    u: simple('u'),
    s: simple('s', 'del', 'strike'),
    colour: { attrs: { colour: {} }, toDOM: (mark) => styled('color', hexOf(mark.attrs['colour'] as Colour)) },
    size: { attrs: { size: {} }, toDOM: (mark) => styled('font-size', `${String(mark.attrs['size'])}px`) },
    other: { attrs: { marks: {} }, toDOM: () => ['span', 0] },
  },
})

export const originOf = (node: Node) => node.attrs['origin'] as BlockOrigin | null
export const styleOf = (node: Node) => node.attrs['style'] as TextStyle | null
export const levelOf = (node: Node) => node.attrs['level'] as 1 | 2 | 3
export const blockOf = (node: Node) => node.attrs['block'] as Block
export const variableOf = (node: Node) => node.attrs as { name: string; fallback: string }
