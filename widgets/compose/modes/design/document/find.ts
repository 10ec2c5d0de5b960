import type { Block, Cell, Column, Design, Row } from '../../../../../contract/design/design.ts'

/** A place between the blocks of a column. */
export interface Place {
  rowId: string
  column: number
  at: number
}

/** Where a block is. `place` is that of the block itself, or of the outermost table around it. */
export interface Found {
  block: Block
  row: Row
  place: Place
  /** Whether it is in a cell of a table. */
  isInTable: boolean
}

/** Finds a block, in tables too; null for an unknown id. */
export function findBlock(design: Design, id: string): Found | null {
  for (const row of design.rows) {
    for (const [column, { blocks }] of row.columns.entries()) {
      for (const [at, outer] of blocks.entries()) {
        const block = within(outer, id)
        if (block !== null)
          return { block, row, place: { rowId: row.id, column, at }, isInTable: block.id !== outer.id }
      }
    }
  }
  return null
}

function within(block: Block, id: string): Block | null {
  if (block.id === id) return block
  for (const inner of innerBlocks(block)) {
    const found = within(inner, id)
    if (found !== null) return found
  }
  return null
}

/** The blocks in the cells of a table, of the first level. */
export function innerBlocks(block: Block): Block[] {
  return block.type === 'table' ? block.rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks)) : []
}

/** Blocks that count towards the limit: those in columns. */
export function countBlocks({ rows }: Design): number {
  return rows.reduce((sum, { columns }) => sum + columns.reduce((all, { blocks }) => all + blocks.length, 0), 0)
}

/** Every id of rows and blocks. */
export function allIds({ rows }: Design): string[] {
  const ofBlock = (block: Block): string[] => [block.id, ...innerBlocks(block).flatMap(ofBlock)]
  return rows.flatMap(({ id, columns }) => [id, ...columns.flatMap(({ blocks }) => blocks.flatMap(ofBlock))])
}

type Change = (blocks: readonly Block[], at: number) => Block[]

/** Changes the list of blocks that holds a block; everything else keeps its identity. The same design for an unknown id. */
export function changeListOf(design: Design, id: string, change: Change): Design {
  const changed = (blocks: readonly Block[]): Block[] | null => {
    const at = blocks.findIndex((block) => block.id === id)
    if (at >= 0) return change(blocks, at)
    for (const [index, block] of blocks.entries()) {
      const inner = block.type === 'table' ? changedTable(block, changed) : null
      if (inner !== null) return blocks.with(index, inner)
    }
    return null
  }
  for (const [rowAt, row] of design.rows.entries()) {
    for (const [at, column] of row.columns.entries()) {
      const blocks = changed(column.blocks)
      if (blocks === null) continue
      return {
        ...design,
        rows: design.rows.with(rowAt, { ...row, columns: row.columns.with(at, { ...column, blocks }) }),
      }
    }
  }
  return design
}

function changedTable(
  table: Block & { type: 'table' },
  changed: (blocks: readonly Block[]) => Block[] | null,
): Block | null {
  for (const [line, { cells }] of table.rows.entries()) {
    for (const [at, cell] of cells.entries()) {
      const blocks = changed(cell.blocks)
      if (blocks === null) continue
      const next: Cell = { ...cell, blocks }
      return { ...table, rows: table.rows.with(line, { ...table.rows[line], cells: cells.with(at, next) }) }
    }
  }
  return null
}

export const hasBlocks = ({ columns }: { columns: readonly Column[] }) =>
  columns.some(({ blocks }) => blocks.length > 0)
