import type { Block, Column, Design, Row, Theme } from '../../../../../contract/design/design.ts'
import { rowColumnsMaxCount, spanMax } from '../../../../../contract/design/design.limits.ts'
import { changeListOf, findBlock, hasBlocks, type Place } from './find.ts'

// Each operation returns a new design that shares what did not change, and the same design where it cannot be done.

/** A new id, unique in the design. */
export type MakeId = () => string

export function updateBlock(design: Design, id: string, change: (block: Block) => Block): Design {
  return changeListOf(design, id, (blocks, at) => blocks.map((block, index) => (index === at ? change(block) : block)))
}

/** Inserts a block after another one, in the same column or cell. */
export function insertAfter(design: Design, id: string, block: Block): Design {
  return changeListOf(design, id, (blocks, at) => blocks.toSpliced(at + 1, 0, block))
}

export function insertAt(design: Design, { rowId, column, at }: Place, block: Block): Design {
  return updateRow(design, rowId, (row) => {
    const columns = row.columns.map((each, index) =>
      index === column ? { ...each, blocks: each.blocks.toSpliced(at, 0, block) } : each,
    )
    return { ...row, columns }
  })
}

/** Inserts a row before the row at `at`. */
export function insertRow(design: Design, at: number, row: Row): Design {
  return { ...design, rows: design.rows.toSpliced(at, 0, row) }
}

/** Removes a block. A row of one column that loses its last block goes too. */
export function removeBlock(design: Design, id: string): Design {
  const rowId = findBlock(design, id)?.row.id
  const next = changeListOf(design, id, (blocks, at) => blocks.toSpliced(at, 1))
  return { ...next, rows: next.rows.filter((row) => row.id !== rowId || row.columns.length > 1 || hasBlocks(row)) }
}

/** Puts a copy with ids of its own after a block. */
export function duplicateBlock(design: Design, id: string, makeId: MakeId): Design {
  return changeListOf(design, id, (blocks, at) =>
    blocks.flatMap((block, index) => (index === at ? [block, copyBlock(block, makeId)] : [block])),
  )
}

/** A copy in which each id is a new one. */
export function copyBlock(block: Block, makeId: MakeId): Block {
  if (block.type !== 'table') return { ...block, id: makeId() }
  const rows = block.rows.map((line) => ({
    ...line,
    cells: line.cells.map((cell) => ({ ...cell, blocks: cell.blocks.map((inner) => copyBlock(inner, makeId)) })),
  }))
  return { ...block, id: makeId(), rows }
}

/** Moves a block between the blocks of a column. `place` is meant in the design as it is before. */
export function moveBlock(design: Design, id: string, place: Place): Design {
  const found = findBlock(design, id)
  const target = design.rows.find((row) => row.id === place.rowId)?.columns[place.column]
  if (found === null || target === undefined) return design
  const isSame = found.place.rowId === place.rowId && found.place.column === place.column && !found.isInTable
  if (isSame && (place.at === found.place.at || place.at === found.place.at + 1)) return design
  const at = isSame && found.place.at < place.at ? place.at - 1 : place.at
  const without = changeListOf(design, id, (blocks, index) => blocks.toSpliced(index, 1))
  return withoutEmptyRow(insertAt(without, { ...place, at }, found.block), found.row.id)
}

/** Moves a block into a new row of its own before the row at `at`. */
export function moveToNewRow(design: Design, id: string, at: number, makeId: MakeId): Design {
  const found = findBlock(design, id)
  if (found === null) return design
  const row = newRow([found.block], makeId)
  const without = changeListOf(design, id, (blocks, index) => blocks.toSpliced(index, 1))
  return withoutEmptyRow(insertRow(without, at, row), found.row.id)
}

function withoutEmptyRow(design: Design, id: string): Design {
  const rows = design.rows.filter((row) => row.id !== id || row.columns.length > 1 || hasBlocks(row))
  return rows.length === design.rows.length ? design : { ...design, rows }
}

/**
 * Moves a block one step up or down: within its column or cell, and from the end of a column into the next column or row.
 * A block in a table stays in its cell.
 */
export function stepBlock(design: Design, id: string, step: -1 | 1): Design {
  const found = findBlock(design, id)
  if (found === null) return design
  const { place, row, isInTable } = found
  if (isInTable) return swapInList(design, id, step)
  const blocks = row.columns[place.column]?.blocks ?? []
  const at = place.at + step
  if (at >= 0 && at < blocks.length) return swapInList(design, id, step)
  const columns = design.rows.flatMap((each) =>
    each.columns.map((column, index) => ({ rowId: each.id, column: index, count: column.blocks.length })),
  )
  const current = columns.findIndex(({ rowId, column }) => rowId === place.rowId && column === place.column)
  const next = columns[current + step]
  if (next === undefined) return design
  return moveBlock(design, id, { ...next, at: step === 1 ? 0 : next.count })
}

function swapInList(design: Design, id: string, step: -1 | 1): Design {
  return changeListOf(design, id, (blocks, at) => {
    const [own, other] = [blocks[at], blocks[at + step]]
    return own === undefined || other === undefined ? [...blocks] : blocks.with(at, other).with(at + step, own)
  })
}

export function newRow(blocks: Block[], makeId: MakeId): Row {
  return { id: makeId(), columns: [{ span: spanMax, blocks }], stackOnPhone: true, padding: [12, 24, 12, 24] }
}

export function updateRow(design: Design, id: string, change: (row: Row) => Row): Design {
  return { ...design, rows: design.rows.map((row) => (row.id === id ? change(row) : row)) }
}

export function removeRow(design: Design, id: string): Design {
  return { ...design, rows: design.rows.filter((row) => row.id !== id) }
}

export function stepRow(design: Design, id: string, step: -1 | 1): Design {
  const at = design.rows.findIndex((row) => row.id === id)
  const [own, other] = [design.rows[at], design.rows[at + step]]
  if (own === undefined || other === undefined) return design
  return { ...design, rows: design.rows.with(at, other).with(at + step, own) }
}

export function duplicateRow(design: Design, id: string, makeId: MakeId): Design {
  const rows = design.rows.flatMap((row) => {
    if (row.id !== id) return [row]
    const columns = row.columns.map((column) => ({
      ...column,
      blocks: column.blocks.map((block) => copyBlock(block, makeId)),
    }))
    return [row, { ...row, id: makeId(), columns }]
  })
  return { ...design, rows }
}

/** Gives a row 1 to 4 columns of equal width; the blocks of columns that go move into the last one. */
export function setColumnCount(row: Row, count: number): Row {
  const wanted = Math.min(Math.max(Math.round(count), 1), rowColumnsMaxCount)
  const span = spanMax / wanted
  const kept: Column[] = Array.from({ length: wanted }, (_, at) => ({ ...(row.columns[at] ?? { blocks: [] }), span }))
  const moved = row.columns.slice(wanted).flatMap(({ blocks }) => blocks)
  const last = kept[wanted - 1] ?? { span, blocks: [] }
  return { ...row, columns: kept.with(-1, { ...last, blocks: [...last.blocks, ...moved] }) }
}

/** Sets the share of a column, of 12; the others share the rest as they did before, each at least one part. */
export function setColumnSpan(row: Row, at: number, span: number): Row {
  const others = row.columns.length - 1
  if (others === 0 || row.columns[at] === undefined) return row
  const own = Math.min(Math.max(Math.round(span), 1), spanMax - others)
  const sum = row.columns.reduce((total, column, index) => total + (index === at ? 0 : column.span), 0)
  const rest = spanMax - own - others
  const columns = row.columns.map((column, index) => ({
    ...column,
    span: index === at ? own : 1 + (sum === 0 ? rest / others : (column.span / sum) * rest),
  }))
  return { ...row, columns }
}

export function updateTheme(design: Design, change: Partial<Theme>): Design {
  return { ...design, theme: { ...design.theme, ...change } }
}
