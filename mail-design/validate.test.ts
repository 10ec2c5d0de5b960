import { describe, expect, it } from 'vitest'
import type { Block, Row } from '../contract/design/design.ts'
import {
  faultsOf,
  nestedLists,
  nestedTable,
  sampleDesign,
  sampleRow,
  sampleTable,
  textBlock,
} from '../tests/support/design-samples.ts'
import { isAllowedAddress } from './check-texts.ts'
import { isNewerDesign, migrateDesign } from './migrate.ts'
import { validateBlock, validateDesign } from './validate.ts'

const inFirstBlock = ['rows', 0, 'columns', 0, 'blocks', 0]

describe('the check of a design', () => {
  it('accepts a valid design, and the largest table', () => {
    expect(faultsOf(textBlock('a', 'Hi'), sampleTable(10, 50))).toEqual([])
  })

  it('names the path and the rule of 501 blocks', () => {
    const blocks = Array.from({ length: 501 }, (_, at) => textBlock(`b${at}`, 'x'))
    expect(faultsOf(...blocks.slice(0, 500))).toEqual([])
    expect(faultsOf(...blocks)).toEqual([
      { path: ['rows', 0, 'columns', 0, 'blocks', 500], reason: 'A design has at most 500 blocks. Remove some.' },
    ])
  })

  it.each<[what: string, block: unknown, path: (string | number)[], reason: RegExp]>([
    ['11 cells in a line', sampleTable(11, 1), ['rows', 0, 'cells'], /11 items; 1 to 10/],
    ['51 lines', sampleTable(1, 51), ['rows'], /51 items; 1 to 50/],
    ['nine tables inside each other', nestedTable(9), [], /at most 8 levels/],
    ['four lists inside each other', nestedLists(4), [], /at most 3 levels/],
    ['an unknown kind', { id: 'a', type: 'video' }, ['type'], /must be one of heading/],
    ['a kind of the language’s own objects', { id: 'a', type: 'constructor' }, ['type'], /must be one of heading/],
    ['no object', 'text', [], /must be an object/],
    ['a missing field', { id: 'a', type: 'spacer' }, ['height'], /missing/],
    ['an unknown field', { id: 'a', type: 'spacer', height: 4, onclick: 'x' }, ['onclick'], /does not exist/],
    ['a bad number', { id: 'a', type: 'spacer', height: Number.NaN }, ['height'], /number from 0 to 2000/],
    ['a bad colour', { id: 'a', type: 'spacer', height: 4, background: 'red;x' }, ['background'], /#rrggbb/],
    ['a bad id', { id: 'a b', type: 'spacer', height: 4 }, ['id'], /1 to 40 letters/],
    ['a script address', { id: 'a', type: 'button', label: 'x', href: 'javascript:alert(1)' }, ['href'], /https:\/\//],
    [
      'an image of another scheme',
      { id: 'a', type: 'image', alt: '', src: 'data:image/png;base64,x' },
      ['src'],
      /https:\/\//,
    ],
    [
      'an unclosed variable',
      { id: 'a', type: 'button', label: 'Hi {{name', href: 'https://x.co' },
      ['label'],
      /column 4/,
    ],
    [
      'a condition in a label',
      { id: 'a', type: 'button', label: '{{#if a}}x{{/if}}', href: 'https://x.co' },
      ['label'],
      /condition of the row/,
    ],
    ['a NUL', { id: 'a', type: 'html', html: 'a\0' }, ['html'], /NUL/],
  ])('names %s', (_what, block, path, reason) => {
    const [fault, ...others] = faultsOf(block)
    expect(others).toEqual([])
    if (path.length > 0 || fault?.path.length === inFirstBlock.length)
      expect(fault?.path).toEqual([...inFirstBlock, ...path])
    expect(fault?.reason).toMatch(reason)
  })

  it('names a second use of an id, in cells too', () => {
    const table = { id: 't', type: 'table', rows: [{ cells: [{ blocks: [textBlock('a', 'x')] }] }] }
    expect(faultsOf(textBlock('a', 'x'), table)).toEqual([
      {
        path: ['rows', 0, 'columns', 0, 'blocks', 1, 'rows', 0, 'cells', 0, 'blocks', 0, 'id'],
        reason: 'Two parts have the id a. Each id is used once.',
      },
    ])
  })

  it('names a design of more than 512 KiB, and columns that are too wide', () => {
    expect(faultsOf(textBlock('a', 'ä'.repeat(262_144)))[0]?.reason).toBe(
      'It is larger than 512 KiB. Remove blocks or shorten texts.',
    )
    const columns = [
      { span: 8, blocks: [] },
      { span: 6, blocks: [] },
    ]
    expect(validateDesign(sampleDesign([{ id: 'r', columns, stackOnPhone: true }]))[0]?.reason).toMatch(/14 of 12/)
  })

  it('allows a condition in an HTML block only if its row has none', () => {
    const html: Block = { id: 'a', type: 'html', html: '{{#if plan}}x{{/if}}' }
    const row = (changes: Partial<Row>) => validateDesign(sampleDesign([sampleRow([html], changes)]))
    expect(row({})).toEqual([])
    expect(row({ showIf: { variable: 'plan', operator: 'filled' } })[0]?.reason).toMatch(/cannot be inside another/)
    expect(row({ showIf: { variable: 'plan', operator: 'is', value: '"}}' } }).at(-1)?.path).toEqual([
      'rows',
      0,
      'showIf',
      'value',
    ])
  })

  it('reports at most 20 faults, in bounded time', () => {
    const start = process.threadCpuUsage()
    const hostile = JSON.parse(`{"version":1,"rows":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as unknown
    expect(validateDesign(hostile).length).toBeLessThanOrEqual(20)
    expect(faultsOf(...Array.from({ length: 500 }, () => ({ id: '' })))).toHaveLength(20)
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`x${at}`, 1]))
    expect(validateDesign(wide)).toHaveLength(20)
    expect(process.threadCpuUsage(start).user).toBeLessThan(2_000_000)
  })

  it('names a newer version, and migration leaves it as it is', () => {
    const newer = { version: 2, canvas: [] }
    expect(migrateDesign(newer)).toBe(newer)
    expect(isNewerDesign(newer)).toBe(true)
    expect(validateDesign(newer)).toEqual([
      { path: ['version'], reason: expect.stringMatching(/newer edition/) as string },
    ])
  })

  it('checks one block', () => {
    expect(validateBlock(textBlock('a', 'x'))).toEqual([])
    expect(validateBlock({ type: 'text' })[0]).toEqual({ path: ['id'], reason: 'It is missing.' })
  })

  it.each([
    ['https://example.com/?a=1', true],
    ['MAILTO:a@b.co', true],
    ['tel:+44', true],
    ["{{url | default: 'https://x.co'}}", true],
    ['{{url}}', true],
    ["{{url | default: 'javascript:x'}}", false],
    ['javascript:alert(1)', false],
    [' https://x.co', false],
    ['java\nscript:x', false],
    ['//x.co', false],
    ['', false],
  ])('address %j: %s', (address, isAllowed) => {
    expect(isAllowedAddress(address)).toBe(isAllowed)
  })
})
