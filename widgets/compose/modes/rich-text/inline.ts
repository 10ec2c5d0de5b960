import type { Fragment, Mark, Node } from '@tiptap/pm/model'
import type { Colour, Inline, List, Marks, Paragraph } from '../../../../contract/design/design.ts'
import { schema, styleOf, variableOf, type OtherMarks } from './schema.ts'

const { nodes, marks: markTypes } = schema

/** Pieces of text as nodes of the editor. */
export function toNodes(content: readonly Inline[]): Node[] {
  return content.flatMap((piece) => {
    if ('break' in piece) return [nodes.break.create()]
    const marks = marksOf(piece.marks)
    if ('text' in piece) return piece.text === '' ? [] : [schema.text(piece.text, marks)]
    return [nodes.variable.create({ name: piece.variable, fallback: piece.fallback }, null, marks)]
  })
}

function marksOf({ link, u, b, i, s, colour, size, ...other }: Marks = {}): Mark[] {
  const marks: Mark[] = []
  if (link !== undefined) marks.push(markTypes.link.create({ href: link, underlined: u !== false }))
  if (b) marks.push(markTypes.b.create())
  if (i) marks.push(markTypes.i.create())
  if (u) marks.push(markTypes.u.create())
  if (s) marks.push(markTypes.s.create())
  if (colour !== undefined) marks.push(markTypes.colour.create({ colour }))
  if (size !== undefined) marks.push(markTypes.size.create({ size }))
  if (Object.keys(other).length > 0) marks.push(markTypes.other.create({ marks: other }))
  return marks
}

/** The content of a paragraph, heading or item as pieces of text. */
export function toInline(parent: Node | Fragment): Inline[] {
  const content: Inline[] = []
  parent.forEach((node) => {
    if (node.type === nodes.break) content.push({ break: true })
    else {
      const marks = toMarks(node.marks)
      const given = marks && { marks }
      if (node.isText) content.push({ text: node.text ?? '', ...given })
      else if (node.type === nodes.variable) {
        const { name, fallback } = variableOf(node)
        content.push({ variable: name, fallback, ...given })
      }
    }
  })
  return content
}

function toMarks(given: readonly Mark[]): Marks | null {
  if (given.length === 0) return null
  const marks: Marks = {}
  for (const { type, attrs } of given) {
    if (type === markTypes.link) {
      marks.link = String(attrs['href'])
      if (attrs['underlined'] === false) marks.u = false
    } else if (type === markTypes.colour) marks.colour = attrs['colour'] as Colour
    else if (type === markTypes.size) marks.size = attrs['size'] as number
    else if (type === markTypes.other) Object.assign(marks, attrs['marks'] as OtherMarks)
    else if (!(type === markTypes.u && marks.link !== undefined)) Object.assign(marks, { [type.name]: true })
  }
  return marks
}

/** Paragraphs and lists of a text block as nodes of the editor; `attrs` go to each of them. */
export function toFlow(content: readonly Paragraph[], attrs: Readonly<Record<string, unknown>> = {}): Node[] {
  const written = content.filter((part) => part.type !== 'list' || part.items.length > 0)
  return written.map((part) => {
    const given = { ...attrs, style: part.style ?? null }
    return part.type === 'list' ? toList(part, given) : nodes.paragraph.create(given, toNodes(part.content))
  })
}

function toList({ ordered, items }: List, attrs: Readonly<Record<string, unknown>>): Node {
  const type = ordered ? nodes.numbers : nodes.bullets
  const entries = items.map(({ content, list }) => {
    const text = nodes.paragraph.create(null, toNodes(content))
    return nodes.item.create(null, list && list.items.length > 0 ? [text, toList(list, {})] : text)
  })
  return type.create(attrs, entries)
}

/** A paragraph or list of the editor, as it is in a text block. */
export function toParagraph(node: Node): Paragraph {
  const style = styleOf(node)
  const given = style === null ? {} : { style }
  if (node.type === nodes.paragraph) return { type: 'paragraph', content: toInline(node), ...given }
  return { type: 'list', ...given, ...readList(node) }
}

function readList(node: Node): List {
  const items: List['items'] = []
  node.forEach((entry) => {
    const inner = entry.childCount > 1 ? entry.child(1) : null
    items.push({ content: toInline(entry.child(0)), ...(inner && { list: readList(inner) }) })
  })
  return { ordered: node.type === nodes.numbers, items }
}
