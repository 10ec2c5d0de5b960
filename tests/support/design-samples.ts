import fc from 'fast-check'
import type { Block, Cell, Design, Inline, Marks, Paragraph, Row, Theme } from '../../contract/design/design.ts'
import { renderHtml } from '../../mail-design/render-html.ts'
import { validateDesign } from '../../mail-design/validate.ts'
import { withoutPreheader } from '../../mail-design/without-preheader.ts'

export const sampleTheme: Theme = {
  ...{ width: 600, background: '#e9e5d9', surface: '#fbf9f4', text: '#1c1d18', link: '#0f6b4f', accent: '#0f6b4f' },
  ...{ font: 'helvetica', headingFont: 'georgia', radius: 4, dark: 'auto' },
}

export function sampleDesign(rows: Row[] = [], changes: Partial<Design> = {}): Design {
  return { version: 1, layout: 'page', theme: sampleTheme, preheader: '', rows, ...changes }
}

/** The HTML that the server has to make of a design. */
export const bodyOf = (design: Design): string => renderHtml(design)

/** Such HTML without the preheader. */
export const bareBody = (html: string): string => withoutPreheader(html)

/** A row of one column with these blocks. */
export function sampleRow(blocks: Block[], changes: Partial<Row> = {}): Row {
  const id = `row-${blocks[0]?.id ?? 'empty'}`
  return { id, columns: [{ span: 12, blocks }], stackOnPhone: true, padding: [24, 24, 24, 24], ...changes }
}

/** A table of empty cells. Not a Block: it may be larger than a design allows. */
export const sampleTable = (columns: number, rows: number): object => ({
  id: 't',
  type: 'table',
  rows: Array.from({ length: rows }, () => ({ cells: Array.from({ length: columns }, () => ({ blocks: [] })) })),
})

/** Tables inside each other, the innermost without blocks. */
export const nestedTable = (depth: number): object => ({
  id: `t${depth}`,
  type: 'table',
  rows: [{ cells: [{ blocks: depth === 1 ? [] : [nestedTable(depth - 1)] }] }],
})

/** A text block of lists inside each other; of none, an empty one. */
export const nestedLists = (depth: number): object => ({
  id: 'a',
  type: 'text',
  content: depth === 0 ? [] : [{ type: 'list', ...nestedList(depth) }],
})
const nestedList = (depth: number): object => ({
  ordered: false,
  items: [{ content: [], ...(depth > 1 && { list: nestedList(depth - 1) }) }],
})

/** The faults of a design with these blocks in one row, whatever they are. */
export const faultsOf = (...blocks: unknown[]) =>
  validateDesign(sampleDesign([sampleRow(blocks as Block[], { id: 'row' })]))

export function textBlock(id: string, ...texts: string[]): Block {
  return { id, type: 'text', content: texts.map((text) => ({ type: 'paragraph', content: [{ text }] })) }
}

const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(
      '{{x}}',
      '\\',
      '<script>alert(1)</script>',
      '"\'&amp;',
      '{{#if a}}',
      '{{/if}}',
      '}}',
      '-->',
      ']]>',
      'a  b',
    ),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\0'))
const name = fc.constantFrom('name', 'plan', 'order.id', 'größe')
const fallback = fc.constantFrom('', 'friend', "Ann's", 'say "hi"', 'a & b')
const hex = fc.constantFrom('#112233' as const, '#fafafa' as const, '#ffd500' as const, '#0F6B4F' as const)
const colour = fc.oneof(
  hex,
  fc.constantFrom('text' as const, 'accent' as const, 'quiet' as const, 'line' as const),
  fc.record({ light: hex, dark: hex }),
)
const address = fc.constantFrom(
  'https://example.com/a?b=1&c={{id}}',
  "{{url | default: 'https://example.com/x'}}",
  'mailto:a@b.co',
)
const marks: fc.Arbitrary<Marks> = fc.record(
  {
    b: fc.boolean(),
    i: fc.boolean(),
    u: fc.boolean(),
    s: fc.boolean(),
    link: address,
    colour,
    size: fc.constantFrom(12, 30),
  },
  { requiredKeys: [] },
)
const piece: fc.Arbitrary<Inline> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text: anyText, marks }, { requiredKeys: ['text'] }) },
  { weight: 2, arbitrary: fc.record({ variable: name, fallback, marks }, { requiredKeys: ['variable', 'fallback'] }) },
  { weight: 1, arbitrary: fc.constant({ break: true as const }) },
)
const content = fc.array(piece, { maxLength: 5 })
const item = fc.record({ content })
const paragraph: fc.Arbitrary<Paragraph> = fc.oneof(
  fc.record({ type: fc.constant('paragraph' as const), content }),
  fc.record({
    type: fc.constant('list' as const),
    ordered: fc.boolean(),
    items: fc.array(
      fc.record(
        { content, list: fc.record({ ordered: fc.boolean(), items: fc.array(item, { maxLength: 2 }) }) },
        { requiredKeys: ['content'] },
      ),
      { maxLength: 3 },
    ),
  }),
)
const label = fc
  .tuple(fc.constantFrom('Go', 'A & B', 'Größe <L>', 'Hi '), fc.constantFrom('', '{{name | default: "you"}}', '\\{{'))
  .map((parts) => parts.join(''))
const sides = fc.constantFrom<[number, number, number, number]>([0, 0, 0, 0], [8, 24, 8, 24])
const box = { padding: sides, background: colour }
const withBox = <T extends object>(shape: T) => ({ ...shape, ...box })

/** Blocks without their ids. */
const simpleBlock = fc.oneof(
  fc.record(withBox({ type: fc.constant('heading'), level: fc.constantFrom(1, 2, 3), content })),
  fc.record(withBox({ type: fc.constantFrom('text', 'footer'), content: fc.array(paragraph, { maxLength: 3 }) })),
  fc.record(withBox({ type: fc.constant('button'), label, href: address, fill: colour })),
  fc.record(withBox({ type: fc.constant('image'), src: fc.constant('https://example.com/a.png'), alt: label })),
  fc.record({
    type: fc.constant('divider'),
    line: fc.record({ width: fc.constant(1), style: fc.constant('solid'), colour }),
  }),
  fc.record({ type: fc.constant('spacer'), height: fc.constantFrom(1, 40) }),
  fc.record({
    type: fc.constantFrom('menu', 'social'),
    links: fc.array(fc.record({ label, href: address }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('product'),
    name: label,
    description: label,
    price: label,
    button: fc.record({ label, href: address }),
  }),
  fc.record({ type: fc.constant('html'), html: fc.constantFrom('<p>Own <b>code</b></p>', '{{name}}', '') }),
) as fc.Arbitrary<Block>
const cell = fc.record({
  blocks: fc.array(simpleBlock, { maxLength: 2 }),
  align: fc.constantFrom('left', 'right'),
}) as fc.Arbitrary<Cell>
const tableBlock = fc.record({
  type: fc.constant('table'),
  rows: fc.array(fc.record({ cells: fc.array(cell, { minLength: 1, maxLength: 3 }) }), { minLength: 1, maxLength: 3 }),
}) as fc.Arbitrary<Block>
const block = fc.oneof({ weight: 6, arbitrary: simpleBlock }, { weight: 1, arbitrary: tableBlock })
const row = fc
  .record(
    {
      columns: fc.array(fc.array(block, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      stackOnPhone: fc.boolean(),
      padding: sides,
      showIf: fc.constantFrom(
        { variable: 'plan', operator: 'is' as const, value: 'pro' },
        { variable: 'name', operator: 'filled' as const },
        { variable: 'plan', operator: 'is_not' as const, value: "Ann's" },
      ),
    },
    { requiredKeys: ['columns', 'stackOnPhone', 'padding'] },
  )
  .map(({ columns, ...rest }) => ({
    ...rest,
    columns: columns.map((blocks) => ({ span: 12 / columns.length, blocks })),
  }))

/** Valid designs of any blocks with hostile texts, in both layouts. */
export const anyDesign: fc.Arbitrary<Design> = fc
  .record({
    layout: fc.constantFrom('page' as const, 'letter' as const),
    preheader: label,
    rows: fc.array(row, { maxLength: 3 }),
    dark: fc.constantFrom('auto' as const, 'off' as const),
  })
  .map(({ dark, rows, ...rest }) => withIds(sampleDesign(rows as Row[], { ...rest, theme: { ...sampleTheme, dark } })))

/** Numbers rows and blocks in reading order. */
export function withIds(design: Design): Design {
  let count = 0
  const id = () => `i${++count}`
  const numbered = (blocks: readonly Block[]): Block[] =>
    blocks.map((each) =>
      each.type === 'table'
        ? {
            ...each,
            id: id(),
            rows: each.rows.map((line) => ({
              ...line,
              cells: line.cells.map((inner) => ({ ...inner, blocks: numbered(inner.blocks) })),
            })),
          }
        : { ...each, id: id() },
    )
  const rows = design.rows.map((each) => ({
    ...each,
    id: id(),
    columns: each.columns.map((column) => ({ ...column, blocks: numbered(column.blocks) })),
  }))
  return { ...design, rows }
}
