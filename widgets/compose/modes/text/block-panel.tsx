import { useState } from 'react'
import type { Block, TableBlock } from '../../../../contract/design/design.ts'
import { tableColumnsMaxCount, tableRowsMaxCount } from '../../../../contract/design/design.limits.ts'
import { Button } from '../../../kit/form/button.tsx'
import { useMessages } from '../../../kit/text/text.tsx'
import { readAddress } from '../rich-text/address.ts'
import { removeAt, setAttributes } from '../rich-text/commands.ts'
import { textOfBlocks } from './draw-block.ts'
import { cellBlocks, newCell } from './new-blocks.ts'
import type { TextTools } from './text-tools.ts'

interface PanelProps<Kind extends Block = Block> {
  tools: TextTools
  pos: number
  block: Kind
}

/** The fields of a selected picture, button or table. */
export function BlockPanel({ tools, pos, block }: PanelProps) {
  const t = useMessages()
  const change = (next: Partial<Block>) => setAttributes(pos, { block: { ...block, ...next } })(...tools.now())
  const remove = (
    <Button size="small" onClick={() => tools.run(removeAt(pos))}>
      {t('Remove')}
    </Button>
  )
  if (block.type === 'table') return <TablePanel tools={tools} pos={pos} block={block} />
  if (block.type === 'button')
    return (
      <div className="text-panel" role="group" aria-label={t('Button')}>
        <TextInput label={t('Words on the button')} value={block.label} onValue={(label) => change({ label })} />
        <AddressInput label={t('Goes to')} value={block.href} onValue={(href) => change({ href })} />
        {remove}
      </div>
    )
  if (block.type === 'image')
    return (
      <div className="text-panel" role="group" aria-label={t('Image')}>
        <TextInput label={t('Alternative text')} value={block.alt} onValue={(alt) => change({ alt })} />
        <AddressInput
          label={t('Goes to')}
          value={block.href ?? ''}
          isOptional
          onValue={(href) => {
            const { href: _before, ...rest } = block
            setAttributes(pos, { block: href === '' ? rest : { ...rest, href } })(...tools.now())
          }}
        />
        {remove}
      </div>
    )
  return (
    <div className="text-panel" role="group" aria-label={t('Block')}>
      {remove}
    </div>
  )
}

function TextInput({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  return (
    <label className="panel-field">
      <span>{label}</span>
      <input
        className="control"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onValue(event.currentTarget.value)
        }}
      />
    </label>
  )
}

/** An address is taken once it is one. */
function AddressInput({
  label,
  value,
  isOptional = false,
  onValue,
}: {
  label: string
  value: string
  isOptional?: boolean
  onValue: (value: string) => void
}) {
  const t = useMessages()
  const [typed, setTyped] = useState(value)
  const isFine = readAddress(typed) !== null || (isOptional && typed.trim() === '')
  return (
    <label className="panel-field">
      <span>{label}</span>
      <input
        className="control"
        value={typed}
        inputMode="url"
        autoCapitalize="off"
        placeholder="https://"
        aria-invalid={!isFine}
        onChange={(event) => {
          const next = event.currentTarget.value
          setTyped(next)
          const address = readAddress(next)
          if (address !== null) onValue(address)
          else if (isOptional && next.trim() === '') onValue('')
        }}
      />
      {!isFine && <small>{t('A link begins with https://, http://, mailto: or tel:. Write such an address.')}</small>}
    </label>
  )
}

/** A field for each cell of a table, and its rows and columns. */
function TablePanel({ tools, pos, block }: PanelProps<TableBlock>) {
  const t = useMessages()
  const { rows } = block
  const columnCount = Math.max(...rows.map(({ cells }) => cells.length))
  const change = (next: TableBlock['rows']) => setAttributes(pos, { block: { ...block, rows: next } })(...tools.now())
  const write = (row: number, column: number, text: string) =>
    change(
      rows.map((line, no) =>
        no === row
          ? {
              ...line,
              cells: line.cells.map((cell, at) => (at === column ? { ...cell, blocks: cellBlocks(text) } : cell)),
            }
          : line,
      ),
    )
  return (
    <div className="text-panel" role="group" aria-label={t('Table')}>
      <div className="cells">
        {rows.map(({ cells }, row) => (
          <div key={row}>
            {cells.map((cell, column) => (
              <CellInput
                key={column}
                label={t('Row {row}, column {column}', { row: row + 1, column: column + 1 })}
                value={textOfBlocks(cell.blocks)}
                onValue={(text) => write(row, column, text)}
              />
            ))}
          </div>
        ))}
      </div>
      <Button
        size="small"
        disabled={rows.length >= tableRowsMaxCount}
        onClick={() => change([...rows, { cells: Array.from({ length: columnCount }, () => newCell(false)) }])}
      >
        {t('Add row')}
      </Button>
      <Button
        size="small"
        disabled={columnCount >= tableColumnsMaxCount}
        onClick={() =>
          change(rows.map((line) => ({ ...line, cells: [...line.cells, newCell(line.cells[0]?.header === true)] })))
        }
      >
        {t('Add column')}
      </Button>
      <Button size="small" disabled={rows.length < 2} onClick={() => change(rows.slice(0, -1))}>
        {t('Remove last row')}
      </Button>
      <Button
        size="small"
        disabled={columnCount < 2}
        onClick={() => change(rows.map((line) => ({ ...line, cells: line.cells.slice(0, columnCount - 1) })))}
      >
        {t('Remove last column')}
      </Button>
      <Button size="small" onClick={() => tools.run(removeAt(pos))}>
        {t('Remove')}
      </Button>
    </div>
  )
}

function CellInput({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  return (
    <input
      className="control"
      aria-label={label}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onValue(event.currentTarget.value)
      }}
    />
  )
}
