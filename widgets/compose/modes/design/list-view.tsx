import { memo, useEffect, useRef, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { Block, Design, Row } from '../../../../contract/design/design.ts'
import { Icon } from '../../../kit/icon/icon.tsx'
import { useText } from '../../../kit/text/text.tsx'
import { focusedBeside } from './canvas/focus.ts'
import { blockKey } from './canvas/keys.ts'
import type { DesignStore } from './design-store.ts'
import { countBlocks, innerBlocks } from './document/find.ts'
import { wordsOf } from './document/words.ts'
import { kinds } from './kinds.ts'

/** The same tree as the canvas: rows, and the blocks in them. Arrow keys select, Alt with them moves. */
export function ListView({ store }: { store: DesignStore }) {
  const t = useText()
  const { design, selected } = useSnapshot(store.state)
  const tree = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const element = tree.current
    if (element === null || selected === null) return
    const item = element.querySelector<HTMLElement>('[aria-selected=true]')
    if (item) showInSide(item)
    // A moved item is drawn again, without the focus.
    const active = focusedBeside(element)
    const isLost = active === document.body && store.keys.place === 'list'
    if (isLost || element.contains(active)) item?.focus()
  }, [store, design, selected])
  const count = countBlocks(design as Design)
  const onKeyDown = (event: KeyboardEvent) => {
    store.pressedIn('list')
    blockKey(store, event)
  }
  return (
    <section className="design-list" aria-label={t('In this mail')}>
      <div className="design-list-head">
        <h2>{t('In this mail')}</h2>
        <span>{t('{count} block|{count} blocks', { count })}</span>
      </div>
      <ul role="tree" aria-label={t('In this mail')} ref={tree} onKeyDown={onKeyDown}>
        {(design.rows as readonly Row[]).map((row, at) => (
          <RowItem
            key={row.id}
            row={row}
            name={t('Row {number}', { number: at + 1 })}
            selected={selected !== null && (row.id === selected || holds(row, selected)) ? selected : null}
            isFirst={selected === null && at === 0}
            onSelect={store.select}
          />
        ))}
      </ul>
    </section>
  )
}

/** Scrolls the panel, not the page: the pointer would no longer be on the block that was pressed, which a double click edits. */
function showInSide(item: HTMLElement): void {
  const side = item.closest('.design-side')
  if (side === null) return
  const [inner, outer] = [item.getBoundingClientRect(), side.getBoundingClientRect()]
  side.scrollTop += Math.max(0, inner.bottom - outer.bottom) + Math.min(0, inner.top - outer.top)
}

const holds = (row: Row, id: string): boolean =>
  row.columns.some(({ blocks }) => blocks.some((block) => blockHolds(block, id)))
const blockHolds = (block: Block, id: string): boolean =>
  block.id === id || innerBlocks(block).some((inner) => blockHolds(inner, id))

interface RowItemProps {
  row: Row
  name: string
  /** The selected id if it is in this row. */
  selected: string | null
  /** Tab comes to it while nothing is selected. */
  isFirst: boolean
  onSelect: (id: string) => void
}

const RowItem = memo(function RowItem({ row, name, selected, isFirst, onSelect }: RowItemProps) {
  const t = useText()
  return (
    <li role="none">
      <div
        className="list-row"
        role="treeitem"
        aria-level={1}
        aria-selected={row.id === selected}
        aria-expanded="true"
        tabIndex={row.id === selected || isFirst ? 0 : -1}
        onClick={() => onSelect(row.id)}
      >
        {name}
        {row.showIf && (
          <b className="list-if" title={t('Only for some recipients')}>
            {t('if')}
          </b>
        )}
      </div>
      <ul role="group" aria-label={name}>
        {row.columns.flatMap(({ blocks }) =>
          blocks.map((block) => (
            <BlockItem key={block.id} block={block} level={2} selected={selected} onSelect={onSelect} />
          )),
        )}
      </ul>
    </li>
  )
})

interface BlockItemProps {
  block: Block
  level: number
  selected: string | null
  onSelect: (id: string) => void
}

function BlockItem({ block, level, selected, onSelect }: BlockItemProps) {
  const t = useText()
  const { text, icon } = kinds[block.type]
  const inner = innerBlocks(block)
  const isSelected = block.id === selected
  return (
    <li role="none">
      <div
        className="list-block"
        role="treeitem"
        aria-level={level}
        aria-selected={isSelected}
        aria-expanded={inner.length > 0 ? 'true' : undefined}
        aria-label={`${t(text)}: ${wordsOf(block)}`}
        tabIndex={isSelected ? 0 : -1}
        onClick={() => onSelect(block.id)}
      >
        <Icon of={icon} size={14} />
        <span translate="no">{wordsOf(block) || t(text)}</span>
      </div>
      {inner.length > 0 && (
        <ul role="group" aria-label={t(text)}>
          {inner.map((each) => (
            <BlockItem key={each.id} block={each} level={level + 1} selected={selected} onSelect={onSelect} />
          ))}
        </ul>
      )}
    </li>
  )
}
