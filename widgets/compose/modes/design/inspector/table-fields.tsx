import type { Block, Cell, MenuBlock, MenuLink, TableBlock } from '../../../../../contract/design/design.ts'
import {
  menuLinksMaxCount,
  tableColumnsMaxCount,
  tableRowsMaxCount,
} from '../../../../../contract/design/design.limits.ts'
import { Button } from '../../../../kit/form/button.tsx'
import { plus, trash } from '../../../../kit/icon/icons.ts'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { useText } from '../../../../kit/text/text.tsx'
import { copyBlock } from '../document/operations.ts'
import { emptyAddress, randomId } from '../document/new-blocks.ts'
import { AddressField, type BlockFieldsProps } from './shared-fields.tsx'
import { NumberField } from './fields.tsx'

/** The links of a menu or of social networks. */
export function ListFields({ block, onChange }: BlockFieldsProps<MenuBlock>) {
  const t = useText()
  const { links } = block
  const set = (at: number, key: string, link: Partial<MenuLink>) =>
    onChange(`${key} ${at}`, { links: links.map((each, index) => (index === at ? { ...each, ...link } : each)) })
  return (
    <>
      {links.map((link, at) => (
        <fieldset key={at} className="link-fields">
          <legend>{t('Link {number}', { number: at + 1 })}</legend>
          <TextField label={t('Words')} value={link.label} onValue={(label) => set(at, 'label', { label })} />
          <AddressField label={t('Goes to')} value={link.href} onValue={(href) => set(at, 'href', { href })} />
          {links.length > 1 && (
            <Button
              size="small"
              kind="quiet"
              icon={trash}
              onClick={() => onChange('links', { links: links.toSpliced(at, 1) })}
            >
              {t('Delete')}
            </Button>
          )}
        </fieldset>
      ))}
      {links.length < menuLinksMaxCount && (
        <Button
          size="small"
          icon={plus}
          onClick={() => onChange('links', { links: [...links, { label: t('Link'), href: emptyAddress }] })}
        >
          {t('Add a link')}
        </Button>
      )}
    </>
  )
}

/** Lines and columns of a table; the words of its cells are edited on the canvas. */
export function TableFields({ block, onChange }: BlockFieldsProps<TableBlock>) {
  const t = useText()
  const { rows } = block
  const count = Math.max(...rows.map(({ cells }) => cells.length))
  const isRegular = rows.every(({ cells }) => cells.length === count && cells.every(({ span = 1 }) => span === 1))
  return (
    <>
      <p className="hint">{t('Press a text of the table to select it.')}</p>
      <NumberField
        label={t('Rows')}
        value={rows.length}
        min={1}
        max={tableRowsMaxCount}
        onValue={(wanted) => onChange('rows', { rows: fitted(rows, wanted, copyLine) })}
      />
      {isRegular && (
        <NumberField
          label={t('Columns')}
          value={count}
          min={1}
          max={tableColumnsMaxCount}
          onValue={(wanted) =>
            onChange('columns', { rows: rows.map((row) => ({ ...row, cells: fitted(row.cells, wanted, copyCell) })) })
          }
        />
      )}
    </>
  )
}

/** Cuts a list to a length, or fills it up with copies of its last item. */
function fitted<Item>(items: readonly Item[], count: number, copy: (item: Item) => Item): Item[] {
  const last = items.at(-1)
  if (last === undefined || count <= items.length) return items.slice(0, count)
  return [...items, ...Array.from({ length: count - items.length }, () => copy(last))]
}

const copyCell = (cell: Cell): Cell => ({
  ...cell,
  blocks: cell.blocks.map((block: Block) => copyBlock(block, randomId)),
})
const copyLine = (line: TableBlock['rows'][number]) => ({ ...line, cells: line.cells.map(copyCell) })
