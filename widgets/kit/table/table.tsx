import type { ReactNode } from 'react'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { css } from './table.css'

const sheet = createSheet(css)

export interface Column<Row> {
  /** Heading; on a small screen it precedes the value of each card. */
  label: string
  cell: (row: Row) => ReactNode
  /** `end` for a row's buttons: at the end, without a label on a card. */
  align?: 'end'
  /** The heading is a button that sorts the rows. `order`: how they are sorted by it now. */
  sort?: { order: 'ascending' | 'descending' | null; onSort: () => void }
}

export interface TableProps<Row> {
  /** What the table lists, for assistive tools. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A table whose rows become cards where its place is narrower than 520 px. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  useSheet(sheet)
  // Explicit roles, because `display: block` removes the implicit ones.
  return (
    <div className="table-wrap">
      <table className="table" role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.label}
                role="columnheader"
                scope="col"
                className={column.align}
                aria-sort={column.sort?.order ?? undefined}
              >
                <Heading column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <td key={column.label} role="cell" data-label={column.label} className={column.align}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Heading<Row>({ column: { label, align, sort } }: { column: Column<Row> }) {
  if (sort) {
    return (
      <button type="button" className="table-sort" onClick={sort.onSort}>
        {label}
        <span aria-hidden="true">{sort.order === null ? '' : sort.order === 'ascending' ? ' ↑' : ' ↓'}</span>
      </button>
    )
  }
  return align === 'end' ? <span className="hidden-text">{label}</span> : label
}
