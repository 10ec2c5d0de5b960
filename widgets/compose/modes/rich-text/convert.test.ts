import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyDesign, withIds } from '../../../../tests/support/design-samples.ts'
import type { Block, Inline, List, Marks, Paragraph } from '../../../../contract/design/design.ts'
import { renderHtml } from '../../../../mail-design/render-html.ts'
import { validateDesign } from '../../../../mail-design/validate.ts'
import { readAddress } from './address.ts'
import { letterOf, toBlocks, toDocument, toLetter } from './convert.ts'
import { contentOf, placeOf } from './plain.ts'
import { schema } from './schema.ts'

/** The same texts with neighbours of one format joined, marks that are off left out, and no empty pieces. */
function normal(content: readonly Inline[]): Inline[] {
  const pieces: Inline[] = []
  for (const piece of content) {
    if ('break' in piece) {
      pieces.push(piece)
      continue
    }
    const marks = markedOn(piece.marks)
    if ('variable' in piece) pieces.push({ variable: piece.variable, fallback: piece.fallback, ...marks })
    else if (piece.text !== '') {
      const last = pieces.at(-1)
      if (last && 'text' in last && JSON.stringify(last.marks) === JSON.stringify(marks.marks)) last.text += piece.text
      else pieces.push({ text: piece.text, ...marks })
    }
  }
  return pieces
}

function markedOn({ b, i, u, s, ...rest }: Marks = {}): { marks?: Marks } {
  const isUnderlined = u === true && rest.link === undefined
  const on: Marks = {
    ...(b && { b }),
    ...(i && { i }),
    ...(isUnderlined && { u }),
    ...(s && { s }),
    ...(u === false && rest.link !== undefined && { u }),
    ...rest,
  }
  const sorted = Object.fromEntries(Object.entries(on).sort(([one], [two]) => (one < two ? -1 : 1)))
  return Object.keys(sorted).length > 0 ? { marks: sorted } : {}
}

const normalList = ({ ordered, items }: List): List => ({
  ordered,
  items: items.map(({ content, list }) => ({
    content: normal(content),
    ...(list && list.items.length > 0 && { list: normalList(list) }),
  })),
})
const normalParagraph = (part: Paragraph): Paragraph =>
  part.type === 'list'
    ? { type: 'list', ...(part.style && { style: part.style }), ...normalList(part) }
    : { ...part, content: normal(part.content) }
function normalBlock(block: Block): Block {
  if (block.type === 'heading') return { ...block, content: normal(block.content) }
  if (block.type !== 'text' && block.type !== 'footer') return block
  const { content } = block
  const written = content.filter((part) => part.type !== 'list' || part.items.length > 0)
  const given: Paragraph[] = written.length > 0 ? written : [{ type: 'paragraph', content: [] }]
  return { ...block, content: given.map(normalParagraph) }
}
const blocksOf = (blocks: readonly Block[]) => JSON.parse(JSON.stringify(blocks.map(normalBlock))) as unknown

describe('the document of the rich text editor', () => {
  it('holds every block of a design, in both directions, with nothing lost', () => {
    fc.assert(
      fc.property(anyDesign, (design) => {
        const blocks = design.rows.flatMap(({ columns }) => columns.flatMap((column) => column.blocks))
        if (blocks.length === 0) return
        const doc = toDocument(design)
        doc.check()
        expect(blocksOf(toBlocks(doc))).toEqual(blocksOf(blocks))
      }),
      { numRuns: 500 },
    )
  })

  it('gives a valid letter with unique ids after paragraphs were split by another block', () => {
    const doc = toDocument(
      withIds(letterOf([{ id: 'a', type: 'text', content: [paragraph('one'), paragraph('two')] }])),
    )
    const [one, two] = [doc.child(0), doc.child(1)]
    const block: Block = { id: 'i2', type: 'divider', line: { width: 1, style: 'solid', colour: '#cccccc' } }
    const split = schema.nodes.doc.create(null, [one, schema.nodes.object.create({ block }), two])
    const letter = toLetter(split, null)
    expect(validateDesign(letter)).toEqual([])
    expect(letter.rows[0]!.columns[0]!.blocks.map(({ type }) => type)).toEqual(['text', 'divider', 'text'])
  })

  it('TEXTMODE-18 A mail written in Text mode has no table around its text', () => {
    const doc = schema.nodes.doc.create(null, contentOf('Dear {{first_name | default: "friend"}},\n\nsee you.'))
    const html = renderHtml(toLetter(doc, null))
    expect(html).not.toContain('<table')
    expect(html).toContain('Dear {{first_name | default: "friend"}},')
  })
})

const paragraph = (text: string): Paragraph => ({ type: 'paragraph', content: [{ text }] })

describe('text that was typed before the editor came', () => {
  const words = fc.array(
    fc.constantFrom('a', 'bc ', '\n', '\n\n', '{{name}}', '{{x | default: "y"}}', ' { ', ' } ', ' é'),
    {
      maxLength: 12,
    },
  )

  it('keeps the caret at its place: the text before it is the same', () => {
    fc.assert(
      fc.property(words, fc.nat(), (parts, seed) => {
        const text = parts.join('')
        const offset = seed % (text.length + 1)
        const doc = schema.nodes.doc.create(null, contentOf(text))
        const at = placeOf(text, offset)
        expect(doc.resolve(at).parent.isTextblock).toBe(true)
        const read = (from: number, to: number) =>
          doc.textBetween(from, to, '\n\n', (leaf) => (leaf.type.name === 'break' ? '\n' : '#'))
        const inside = /\{\{(?:name|x \| default: "y")\}\}/g
        const start = [...text.matchAll(inside)].find(
          ({ index, 0: found }) => index < offset && offset < index + found.length,
        )
        const before = text.slice(0, start?.index ?? offset).replace(inside, '#')
        // Between the two line ends of an empty line is the end of the paragraph before it.
        expect([before, before.replace(/\n$/, '')]).toContain(read(0, at))
      }),
    )
  })
})

describe('an address', () => {
  it.each([
    ['https://example.com/a?b=1', 'https://example.com/a?b=1'],
    ['example.com/tickets', 'https://example.com/tickets'],
    ['ann@example.com', 'mailto:ann@example.com'],
    ['tel:+351123', 'tel:+351123'],
    ['{{link}}', '{{link}}'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['ftp://example.com', null],
    ['', null],
    ['two words', null],
  ])('%s is read as %s', (typed, address) => {
    expect(readAddress(typed)).toBe(address)
  })
})
