import { useEffect, useRef, useSyncExternalStore, type CSSProperties, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { Contact, ContactSort } from '../../../contract/audience/contact.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Bone } from '../../../widgets/kit/feedback/states.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { ColumnChoice } from './columns.ts'
import { ContactCell } from './contact-cell.tsx'
import { nameOf } from './contact-text.ts'
import { isEveryMember } from './contacts-filter.ts'
import type { ContactsStore } from './contacts-store.ts'
import type { SelectionStore } from './selection-store.ts'
import { MemberWord, StatusWord } from './status-word.tsx'
import { useVisibleRows } from './use-visible-rows.ts'

const cards = '(max-width: 640px)'
const rowPx = 44
const cardPx = 88
/** The next page is loaded when so few rows are left. */
const aheadCount = 40

const sortOfColumn: Readonly<Record<string, ContactSort>> = { added: 'newest', activity: 'last_activity' }

interface Props {
  store: ContactsStore
  selection: SelectionStore
  columns: readonly ColumnChoice[]
}

/** The contacts, of which only the rows in sight are drawn; cards on a phone. */
export function ContactTable({ store, selection, columns }: Props) {
  const t = useText()
  const { rowCount, version, more, count, filter, lists } = useSnapshot(store.state)
  const { emails, isAll } = useSnapshot(selection.state)
  const isCards = useMedia(cards)
  const body = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const heightPx = isCards ? cardPx : rowPx
  const { first, end } = useVisibleRows({ list: body, scroller }, { rowPx: heightPx, count: rowCount })
  useEffect(() => {
    if (end > rowCount - aheadCount && more === 'idle') void store.loadMore()
  }, [end, rowCount, more, store])
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [version])

  const rows = store.rows().slice(first, end)
  const sort = filter.sort || 'newest'
  const sorting = (name: string, order: 'ascending' | 'descending') => (sort === name ? order : undefined)
  const selectedCount = Object.keys(emails).length
  const listName = isEveryMember(filter) ? (lists.find(({ id }) => id === filter.list)?.name ?? '') : null
  const valueCount = columns.length + (listName === null ? 0 : 1)
  const template = `44px minmax(220px, 1.6fr) minmax(136px, 0.8fr) repeat(${valueCount}, minmax(120px, 1fr))`
  // Check, contact and status; then each column with its gap.
  const widthMinPx = 452 + valueCount * 132
  return (
    <div className="contacts-scroll" ref={scroller} onKeyDown={moveBetweenRows}>
      <div
        role="table"
        aria-label={t('Contacts')}
        aria-rowcount={count === null || count.is_estimate ? -1 : count.count + 1}
        className="contacts-table"
        style={{ '--columns': template, '--width-min': `${widthMinPx}px` } as CSSProperties}
      >
        <div role="rowgroup" className="contacts-head">
          <div role="row" aria-rowindex={1} className="contacts-row">
            <div role="columnheader">
              <SelectLoaded
                checked={isAll || (selectedCount > 0 && selectedCount >= rowCount)}
                isPartly={!isAll && selectedCount > 0 && selectedCount < rowCount}
                label={t('Select all rows that are shown')}
                onChange={(isSelected) => selection.toggleLoaded(isSelected)}
              />
            </div>
            <div role="columnheader" aria-sort={sorting('email', 'ascending')}>
              {t('Contact')}
            </div>
            <div role="columnheader">{t('Status')}</div>
            {listName !== null && <div role="columnheader">{t('On {list}', { list: listName })}</div>}
            {columns.map(({ id, label, field }) => (
              <div key={id} role="columnheader" aria-sort={sorting(sortOfColumn[id] ?? '-', 'descending')}>
                {field ? label : t(label)}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" ref={body} style={{ height: rowCount * heightPx }} className="contacts-body">
          <div style={{ transform: `translateY(${first * heightPx}px)` }}>
            {rows.map((contact, at) => (
              <ContactRow
                key={contact.id}
                contact={contact}
                rowIndex={first + at + 2}
                columns={columns}
                isOfList={listName !== null}
                isSelected={isAll || emails[contact.id] !== undefined}
                onSelect={(isSelected) => selection.toggle(contact, isSelected)}
              />
            ))}
          </div>
        </div>
      </div>
      <div className="contacts-more" role="status">
        {more === 'loading' && (
          <>
            <span className="hidden-text">{t('Loading...')}</span>
            <Bone width="40%" />
          </>
        )}
        {more === 'failed' && (
          <>
            <span>{t('More contacts could not be loaded.')}</span>
            <Button size="small" onClick={() => void store.loadMore()}>
              {t('Try Again')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

interface RowProps {
  contact: Contact
  rowIndex: number
  columns: readonly ColumnChoice[]
  /** With the state on the list that the contacts are narrowed to. */
  isOfList: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

function ContactRow({ contact, rowIndex, columns, isOfList, isSelected, onSelect }: RowProps) {
  const t = useText()
  const name = nameOf(contact)
  return (
    <div role="row" aria-rowindex={rowIndex} className={isSelected ? 'contacts-row selected' : 'contacts-row'}>
      <div role="cell" className="contacts-check">
        <input
          type="checkbox"
          aria-label={t('Select {email}', { email: contact.email })}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </div>
      <div role="cell" className="contacts-who">
        <a href={`/dashboard/contacts/${contact.id}`}>
          <b className={name === '' ? 'contacts-empty' : undefined}>{name || t('No name')}</b>{' '}
          <span translate="no">{contact.email}</span>
        </a>
      </div>
      <div role="cell" className="contacts-status">
        <StatusWord status={contact.status} />
      </div>
      {isOfList && (
        <div role="cell" className="contacts-value member">
          {contact.list_state && <MemberWord state={contact.list_state} />}
        </div>
      )}
      {columns.map((column) => (
        <div role="cell" key={column.id} className={`contacts-value ${column.field ? 'of-field' : column.id}`}>
          <ContactCell contact={contact} column={column} />
        </div>
      ))}
    </div>
  )
}

interface SelectLoadedProps {
  checked: boolean
  isPartly: boolean
  label: string
  onChange: (isSelected: boolean) => void
}

function SelectLoaded({ checked, isPartly, label, onChange }: SelectLoadedProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly
  }, [isPartly])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

/** Arrow keys go from a row to the one above or below, at the same control. */
function moveBetweenRows(event: KeyboardEvent<HTMLDivElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const row = (event.target as Element).closest('.contacts-body [role=row]')
  if (by === undefined || row === null) return
  const control = (event.target as Element).matches('input') ? 'input' : 'a'
  const next = by === 1 ? row.nextElementSibling : row.previousElementSibling
  const target = next?.querySelector<HTMLElement>(control)
  if (!target) return
  event.preventDefault()
  target.focus()
}

/** Whether a media query holds. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}
