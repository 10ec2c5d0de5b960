import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block, Design } from '../../../../../contract/design/design.ts'
import { validateDesign } from '../../../../../mail-design/validate.ts'
import { anyDesign, sampleDesign, sampleRow, textBlock } from '../../../../../tests/support/design-samples.ts'
import { allIds, countBlocks, findBlock, innerBlocks } from './find.ts'
import * as history from './history.ts'
import { blockKinds, newBlock } from './new-blocks.ts'
import * as operations from './operations.ts'

const makeIds = () => {
  let count = 0
  return () => `new-${++count}`
}
const idsOf = (design: Design) =>
  design.rows.map(({ columns }) => columns.map(({ blocks }) => blocks.map(({ id }) => id)))
const table = (id: string, ...cells: Block[][]): Block => ({
  ...{ id, type: 'table' },
  rows: [{ cells: cells.map((blocks) => ({ blocks })) }],
})
const two = () =>
  sampleDesign([sampleRow([textBlock('a', 'A'), textBlock('b', 'B')]), sampleRow([textBlock('c', 'C')])])

describe('blocks of a design', () => {
  it('a block is inserted at a place, and after another block in a cell', () => {
    expect(idsOf(operations.insertAt(two(), { rowId: 'row-a', column: 0, at: 1 }, textBlock('x', 'X')))).toEqual([
      [['a', 'x', 'b']],
      [['c']],
    ])
    const within = sampleDesign([sampleRow([table('t', [textBlock('a', 'A')], [textBlock('b', 'B')])])])
    const found = findBlock(operations.insertAfter(within, 'b', textBlock('x', 'X')), 't')?.block
    expect(found && innerBlocks(found).map(({ id }) => id)).toEqual(['a', 'b', 'x'])
  })

  it.each([
    ['down within its column', 'a', { rowId: 'row-a', column: 0, at: 2 }, [[['b', 'a']], [['c']]]],
    ['up within its column', 'b', { rowId: 'row-a', column: 0, at: 0 }, [[['b', 'a']], [['c']]]],
    ['to its own place', 'a', { rowId: 'row-a', column: 0, at: 1 }, [[['a', 'b']], [['c']]]],
    ['into another row', 'a', { rowId: 'row-c', column: 0, at: 1 }, [[['b']], [['c', 'a']]]],
    ['out of a row that then is gone', 'c', { rowId: 'row-a', column: 0, at: 2 }, [[['a', 'b', 'c']]]],
  ])('a block moves %s', (_name, id, place, expected) => {
    expect(idsOf(operations.moveBlock(two(), id, place))).toEqual(expected)
  })

  it('a place is meant as the design is before the move', () => {
    const three = sampleDesign([sampleRow(['a', 'b', 'c'].map((id) => textBlock(id, id)))])
    expect(idsOf(operations.moveBlock(three, 'a', { rowId: 'row-a', column: 0, at: 2 }))).toEqual([[['b', 'a', 'c']]])
  })

  it('steps go through a column, then into the next row, and end at the ends', () => {
    const down = operations.stepBlock(two(), 'a', 1)
    expect(idsOf(down)).toEqual([[['b', 'a']], [['c']]])
    const further = operations.stepBlock(down, 'a', 1)
    expect(idsOf(further)).toEqual([[['b']], [['a', 'c']]])
    expect(operations.stepBlock(two(), 'a', -1)).toEqual(two())
    expect(idsOf(operations.stepBlock(further, 'a', -1))).toEqual([[['b', 'a']], [['c']]])
  })

  it('a deleted block takes its empty row along, not a row of several columns', () => {
    expect(idsOf(operations.removeBlock(two(), 'c'))).toEqual([[['a', 'b']]])
    const columns = operations.updateRow(two(), 'row-c', (row) => operations.setColumnCount(row, 2))
    expect(idsOf(operations.removeBlock(columns, 'c'))).toEqual([[['a', 'b']], [[], []]])
  })

  it('columns that go give their blocks to the last one left; shares add up to 12', () => {
    const [row] = operations.updateRow(two(), 'row-a', (each) => operations.setColumnCount(each, 3)).rows
    expect(row?.columns.map(({ span }) => span)).toEqual([4, 4, 4])
    const wide = operations.setColumnSpan(row!, 0, 9)
    expect(wide.columns[0]?.span).toBe(9)
    expect(wide.columns.reduce((sum, { span }) => sum + span, 0)).toBeCloseTo(12)
    expect(operations.setColumnSpan(row!, 0, 12).columns.map(({ span }) => span)).toEqual([10, 1, 1])
    expect(operations.setColumnCount(row!, 1).columns[0]?.blocks.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('a new block of each kind is valid as soon as it is inserted', () => {
    const makeId = makeIds()
    const blocks = blockKinds.map((kind) => newBlock(kind, makeId, (text) => text))
    expect(validateDesign(sampleDesign([sampleRow(blocks)]))).toEqual([])
  })
})

type Act = (design: Design, id: string, makeId: () => string) => Design
const acts: Act[] = [
  (design, id) => operations.stepBlock(design, id, 1),
  (design, id) => operations.stepBlock(design, id, -1),
  (design, id) => operations.removeBlock(design, id),
  (design, id, makeId) => operations.duplicateBlock(design, id, makeId),
  (design, id, makeId) => operations.moveToNewRow(design, id, 0, makeId),
  (design, id, makeId) =>
    operations.insertAfter(
      design,
      id,
      newBlock('table', makeId, (text) => text),
    ),
  (design, id, makeId) =>
    operations.insertRow(design, 0, operations.newRow([newBlock('text', makeId, String)], makeId)),
  (design, _id, makeId) => operations.duplicateRow(design, design.rows[0]?.id ?? '', makeId),
  (design) => operations.updateRow(design, design.rows[0]?.id ?? '', (row) => operations.setColumnCount(row, 3)),
]

describe('any sequence of operations', () => {
  it('keeps each id once, and the blocks that no operation added or deleted', () => {
    fc.assert(
      fc.property(
        anyDesign,
        fc.array(fc.tuple(fc.nat(acts.length - 1), fc.nat()), { maxLength: 12 }),
        (start, steps) => {
          const makeId = makeIds()
          let design = start
          for (const [act, pick] of steps) {
            const ids = allIds(design).filter((id) => findBlock(design, id) !== null)
            const id = ids[pick % Math.max(ids.length, 1)] ?? ''
            const before = countBlocks(design)
            design = acts[act]!(design, id, makeId)
            const after = allIds(design)
            expect(new Set(after).size).toBe(after.length)
            if (act < 2) expect(countBlocks(design)).toBe(before)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('CANVAS-11 undo leads back through every step, redo forward again', () => {
    fc.assert(
      fc.property(
        anyDesign,
        fc.array(fc.tuple(fc.nat(acts.length - 1), fc.nat()), { maxLength: 12 }),
        (start, steps) => {
          const makeId = makeIds()
          let state = history.startHistory(start)
          const shown = [start]
          for (const [act, pick] of steps) {
            const ids = allIds(state.present).filter((id) => findBlock(state.present, id) !== null)
            const next = acts[act]!(state.present, ids[pick % Math.max(ids.length, 1)] ?? '', makeId)
            if (next !== state.present) shown.push(next)
            state = history.record(state, next, null, 0)
          }
          for (const design of shown.toReversed().slice(1)) {
            state = history.undo(state)!
            expect(state.present).toBe(design)
          }
          expect(history.undo(state)).toBe(null)
          for (const design of shown.slice(1)) {
            state = history.redo(state)!
            expect(state.present).toBe(design)
          }
          expect(history.redo(state)).toBe(null)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('typing in one field is one step, until a pause', () => {
    const designs = ['1', '2', '3'].map((text) => sampleDesign([sampleRow([textBlock('a', text)])]))
    let state = history.startHistory(sampleDesign())
    state = history.record(state, designs[0]!, 'a words', 1000)
    state = history.record(state, designs[1]!, 'a words', 1500)
    expect(state.past.length).toBe(1)
    state = history.record(state, designs[2]!, 'a words', 9000)
    expect(history.undo(state)?.present).toBe(designs[1])
  })
})
