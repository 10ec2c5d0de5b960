import { describe, expect, it } from 'vitest'
import type { Block, Row } from '../contract/design/design.ts'
import {
  faultsOf,
  nestedLists,
  nestedTable,
  sampleDesign,
  sampleRow,
  sampleTable,
  sampleTheme,
  textBlock,
} from '../tests/support/design-samples.ts'
import { validateBlock, validateDesign } from './validate.ts'

const repeated = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)
const spacers = (count: number, prefix = 's') =>
  Array.from({ length: count }, (_, no) => ({ id: `${prefix}${no}`, type: 'spacer', height: 4 }))
const paragraphOf = (content: unknown[]) => ({ id: 'a', type: 'text', content: [{ type: 'paragraph', content }] })
const columnsOf = (columns: unknown[]) => sampleDesign([{ ...sampleRow([], { id: 'row' }), columns } as Row])

describe('the check of a design', () => {
  it.each<[what: string, blockOf: (count: number) => unknown, least: number, most: number]>([
    ['height of a spacer', (height) => ({ id: 'a', type: 'spacer', height }), 0, 2000],
    [
      'width of a line',
      (width) => ({ id: 'a', type: 'divider', line: { width, style: 'solid', colour: 'text' } }),
      0,
      40,
    ],
    [
      'share of a line',
      (share) => ({ id: 'a', type: 'divider', line: { width: 1, style: 'solid', colour: 'text' }, share }),
      1,
      100,
    ],
    ['size of a button', (size) => ({ id: 'a', type: 'button', label: 'x', href: 'https://x.co', size }), 8, 60],
    ['size of a text', (size) => ({ ...textBlock('a', 'x'), style: { size } }), 0, 400],
    ['height of a line of text', (lineHeight) => ({ ...textBlock('a', 'x'), style: { lineHeight } }), 0, 600],
    ['space between letters', (letterSpacing) => ({ ...textBlock('a', 'x'), style: { letterSpacing } }), -50, 50],
    ['size of some words', (size) => paragraphOf([{ text: 'x', marks: { size } }]), 8, 200],
    ['line height of some words', (lineHeight) => paragraphOf([{ text: 'x', marks: { lineHeight } }]), 8, 300],
    ['percent of a table', (percent) => ({ ...sampleTable(1, 1), width: { percent } }), 0, 100],
    ['pixels of a table', (px) => ({ ...sampleTable(1, 1), width: { px } }), 0, 2000],
    ['columns of a cell', (span) => ({ id: 't', type: 'table', rows: [{ cells: [{ blocks: [], span }] }] }), 1, 10],
    ['cells of a line', (count) => sampleTable(count, 1), 1, 10],
    ['lines of a table', (count) => sampleTable(1, count), 1, 50],
    ['levels of a table', (depth) => (depth === 0 ? spacers(1)[0] : nestedTable(depth)), 0, 8],
    ['levels of a list', nestedLists, 0, 3],
    [
      'blocks of a cell',
      (count) => ({ id: 't', type: 'table', rows: [{ cells: [{ blocks: spacers(count) }] }] }),
      0,
      20,
    ],
    [
      'links of a menu',
      (count) => ({ id: 'a', type: 'menu', links: repeated(count, { label: 'x', href: 'https://x.co' }) }),
      1,
      12,
    ],
    [
      'characters of a label',
      (chars) => ({ id: 'a', type: 'image', src: 'https://x.co', alt: 'x'.repeat(chars) }),
      0,
      1000,
    ],
    [
      'characters of an address',
      (chars) => ({ id: 'a', type: 'image', src: 'https://x.co/'.padEnd(chars, 'x'), alt: '' }),
      0,
      2000,
    ],
    ['characters of an id', (chars) => ({ id: 'a'.repeat(chars), type: 'spacer', height: 4 }), 1, 40],
    ['characters of a block’s name', (chars) => ({ id: 'a', type: 'html', html: '', name: 'x'.repeat(chars) }), 0, 100],
    ['characters of a variable', (chars) => paragraphOf([{ variable: 'x'.repeat(chars), fallback: '' }]), 1, 100],
    ['characters of a default', (chars) => paragraphOf([{ variable: 'x', fallback: 'x'.repeat(chars) }]), 0, 200],
    ['pieces of a paragraph', (count) => paragraphOf(repeated(count, { text: 'x' })), 0, 5000],
    [
      'paragraphs',
      (count) => ({ id: 'a', type: 'text', content: repeated(count, { type: 'paragraph', content: [] }) }),
      0,
      2000,
    ],
    [
      'entries of a list',
      (count) => ({
        id: 'a',
        type: 'text',
        content: [{ type: 'list', ordered: false, items: repeated(count, { content: [] }) }],
      }),
      0,
      1000,
    ],
    [
      'sides of a border',
      (count) => ({
        id: 'a',
        type: 'spacer',
        height: 4,
        border: { width: 1, style: 'solid', colour: 'text', sides: repeated(count, 'top') },
      }),
      1,
      4,
    ],
    ['sides of a padding', (count) => ({ id: 'a', type: 'spacer', height: 4, padding: repeated(count, 1) }), 4, 4],
  ])('accepts the %s at its limits, and not beyond them', (_what, blockOf, least, most) => {
    expect([faultsOf(blockOf(least)), faultsOf(blockOf(most))]).toEqual([[], []])
    expect(faultsOf(blockOf(most + 1))).not.toEqual([])
    if (least !== 0) expect(faultsOf(blockOf(least - 1))).not.toEqual([])
  })

  it.each<[what: string, designOf: (count: number) => unknown, least: number, most: number]>([
    ['width', (width) => sampleDesign([], { theme: { ...sampleTheme, width } }), 480, 720],
    ['characters of the preheader', (chars) => sampleDesign([], { preheader: 'x'.repeat(chars) }), 0, 250],
    [
      'rows',
      (count) => sampleDesign(Array.from({ length: count }, (_, no) => sampleRow([], { id: `r${no}` }))),
      0,
      500,
    ],
    ['columns of a row', (count) => columnsOf(repeated(count, { span: 1, blocks: [] })), 1, 4],
    ['span of a column', (span) => columnsOf([{ span, blocks: [] }]), 0.5, 12],
    [
      'spans together',
      (span) =>
        columnsOf([
          { span: 6, blocks: [] },
          { span, blocks: [] },
        ]),
      1,
      6,
    ],
    ['width of a column', (maxWidth) => columnsOf([{ span: 12, blocks: [], maxWidth }]), 100, 720],
    [
      'blocks in cells',
      (count) =>
        sampleDesign([
          sampleRow(
            Array.from({ length: Math.ceil(count / 20) }, (_, no) => ({
              id: `t${no}`,
              type: 'table',
              rows: [{ cells: [{ blocks: spacers(Math.min(20, count - 20 * no), `t${no}-`) }] }],
            })) as Block[],
            { id: 'row' },
          ),
        ]),
      0,
      2000,
    ],
    [
      'parts of a language',
      (count) => sampleDesign([], { language: ['en', ...repeated(count, 'ab')].join('-') }),
      0,
      3,
    ],
    ['letters of a language', (chars) => sampleDesign([], { language: 'a'.repeat(chars) }), 2, 3],
    ['letters of a region', (chars) => sampleDesign([], { language: `en-${'a'.repeat(chars)}` }), 2, 8],
  ])('accepts the %s of a design at its limits, and not beyond them', (_what, designOf, least, most) => {
    expect([validateDesign(designOf(least)), validateDesign(designOf(most))]).toEqual([[], []])
    expect(validateDesign(designOf(most + 1))).not.toEqual([])
    if (least !== 0) expect(validateDesign(designOf(least - 1))).not.toEqual([])
  })

  it('accepts a document of 512 KiB, and no larger one', () => {
    const html = (chars: number): Block => ({ id: 'a', type: 'html', html: 'x'.repeat(chars) })
    const filled = (documentOf: (chars: number) => unknown) =>
      [0, 1].map((more) => documentOf(524_288 + more - JSON.stringify(documentOf(0)).length))
    const [design, largerDesign] = filled((chars) => sampleDesign([sampleRow([html(chars)])]))
    expect([validateDesign(design), validateDesign(largerDesign).length]).toEqual([[], 1])
    const [block, largerBlock] = filled(html)
    expect([validateBlock(block), validateBlock(largerBlock).length]).toEqual([[], 1])
  })

  it('names an unknown field with up to 60 characters', () => {
    const pathOf = (chars: number) =>
      faultsOf({ id: 'a', type: 'html', html: '', ['x'.repeat(chars)]: 1 })[0]?.path.at(-1)
    expect([60, 61].map(pathOf)).toEqual(['x'.repeat(60), 'x'.repeat(60)])
  })

  it.each([
    ['a text', (weight: number) => ({ ...textBlock('a', 'x'), style: { weight } })],
    ['a button', (weight: number) => ({ id: 'a', type: 'button', label: 'x', href: 'https://x.co', weight })],
  ])('accepts the weights 400 and 700 of %s, and no others', (_what, blockOf) => {
    const isAccepted = (weight: number) => faultsOf(blockOf(weight)).length === 0
    expect([399, 400, 401, 699, 700, 701].filter(isAccepted)).toEqual([400, 700])
  })

  it('accepts columns that take a hundredth of a part too much, as thirds do', () => {
    const isAccepted = (last: number) => {
      const columns = [4, 4, last].map((span) => ({ span, blocks: [] }))
      return validateDesign(columnsOf(columns)).length === 0
    }
    expect([4, 4.009, 4.011].filter(isAccepted)).toEqual([4, 4.009])
  })

  it('accepts headings of the levels 1 to 3', () => {
    const isAccepted = (level: number) => faultsOf({ id: 'a', type: 'heading', level, content: [] }).length === 0
    expect([0, 1, 2, 3, 4].filter(isAccepted)).toEqual([1, 2, 3])
  })
})
