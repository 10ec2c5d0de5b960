import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { ContactSort } from '../../../contract/audience/contact.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { chevronDown, columns as columnsIcon, listFilter, plus, x } from '../../../widgets/kit/icon/icons.ts'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useSearchKey } from '../../kit/use-search-key.ts'
import { formatFilter, memberLabels, sortLabels, statusLabels } from './contact-text.ts'
import { isFiltered } from './contacts-filter.ts'
import type { ContactsStore } from './contacts-store.ts'

const typingMs = 250

interface Props {
  store: ContactsStore
  onFilter: () => void
  onColumns: () => void
  onSaveSegment: () => void
}

/** Search, sort and columns; below, each filter as a sentence, and how many contacts match. */
export function FilterBar({ store, onFilter, onColumns, onSaveSegment }: Props) {
  const t = useText()
  const { filter, count } = useSnapshot(store.state)
  return (
    <div className="contacts-tools">
      <div className="contacts-find" role="search">
        <Search search={filter.search} onSearch={(search) => void store.find({ search })} />
        <label className="contacts-sort">
          {t('Sort')}
          <span className="list-choice">
            <select
              value={filter.sort || 'newest'}
              onChange={({ currentTarget: { value } }) =>
                void store.find({ sort: value === 'newest' ? '' : (value as ContactSort) })
              }
            >
              {Object.entries(sortLabels).map(([value, text]) => (
                <option key={value} value={value}>
                  {t(text)}
                </option>
              ))}
            </select>
            <Icon of={chevronDown} size={16} />
          </span>
        </label>
        <Button icon={columnsIcon} onClick={onColumns}>
          {t('Columns')}
        </Button>
      </div>
      <div className="contacts-chips">
        <Chips store={store} onFilter={onFilter} />
        <button type="button" className="chip add" onClick={onFilter}>
          <Icon of={plus} size={14} />
          {t('Filter')}
        </button>
        <span className="contacts-match" role="status">
          {isFiltered(filter) &&
            count !== null &&
            richText(t, count.is_estimate ? 'About {number} match' : '{number} match', {
              number: <b>{count.count.toLocaleString(t.lang)}</b>,
            })}
        </span>
        {isFiltered(filter) && (
          <Button size="small" icon={listFilter} onClick={onSaveSegment}>
            {t('Save as segment')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Chips({ store, onFilter }: { store: ContactsStore; onFilter: () => void }) {
  const t = useText()
  const { filter, lists, segments, fields } = useSnapshot(store.state)
  const nameOf = (all: readonly { id: string; name: string }[], id: string) =>
    all.find((one) => one.id === id)?.name ?? '…'
  const { status, list, member, segment } = filter
  const listName = nameOf(lists, list)
  const field = fields.find(({ no }) => String(no) === filter.field)
  return (
    <>
      {status !== '' && (
        <Chip
          id="Status is {value}"
          value={t(statusLabels[status].word)}
          onOpen={onFilter}
          onRemove={() => void store.find({ status: '' })}
        />
      )}
      {list !== '' && (
        <Chip
          id="List is {value}"
          value={member === '' ? listName : `${listName}, ${t(memberLabels[member]).toLowerCase()}`}
          onOpen={onFilter}
          onRemove={() => void store.find({ list: '', member: '' })}
        />
      )}
      {segment !== '' && (
        <Chip
          id="Segment is {value}"
          value={nameOf(segments, segment)}
          onOpen={onFilter}
          onRemove={() => void store.find({ segment: '' })}
        />
      )}
      {field && (
        <Chip
          id="{field} is {value}"
          field={field.label}
          value={formatFilter(field, filter.value, t)}
          onOpen={onFilter}
          onRemove={() => void store.find({ field: '', value: '' })}
        />
      )}
    </>
  )
}

interface ChipProps {
  /** A sentence with the place of the value. */
  id: 'Status is {value}' | 'List is {value}' | 'Segment is {value}' | '{field} is {value}'
  field?: string
  value: string
  onOpen: () => void
  onRemove: () => void
}

function Chip({ id, field = '', value, onOpen, onRemove }: ChipProps) {
  const t = useText()
  const sentenceId = id as '{field} is {value}' // A sentence without a field leaves it out.
  const sentence: ReactNode = richText(t, sentenceId, { field, value: <b>{value}</b> })
  return (
    <span className="chip">
      <button type="button" onClick={onOpen}>
        {sentence}
      </button>
      <button
        type="button"
        aria-label={t('Remove the filter “{sentence}”', { sentence: t(sentenceId, { field, value }) })}
        onClick={onRemove}
      >
        <Icon of={x} size={14} />
      </button>
    </span>
  )
}

function Search({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const t = useText()
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  const input = useRef<HTMLInputElement>(null)
  // Emptied from elsewhere, such as by 'Clear filters'.
  if (known !== search) {
    setKnown(search)
    setText(search)
  }
  useEffect(() => {
    if (text === search) return
    const timer = setTimeout(() => onSearch(text), typingMs)
    return () => clearTimeout(timer)
  }, [text, search, onSearch])
  useSearchKey(input)
  return (
    <label className="contacts-search">
      {t('Search')}
      <input
        ref={input}
        type="search"
        placeholder={t('Name, address or @domain')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
    </label>
  )
}
