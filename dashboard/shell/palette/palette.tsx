import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { templateList } from '../../../client/mail/template-list.ts'
import { searchTemplates } from '../../../client/mail/template-search.ts'
import { Dialog } from '../../../widgets/kit/overlay/dialog.tsx'
import { useApp } from '../../app.ts'
import { entriesOf, findEntries, type PaletteEntry } from './palette-entries.ts'
import { sidebarItems } from '../sidebar-items.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const moreScreens = [
  { path: '/dashboard/create', text: 'New template' },
  { path: '/dashboard/contacts/fields', text: 'Contact fields' },
]

export interface PaletteProps {
  /** Typed before the palette was there. */
  query: string
  onClosed: () => void
}

/** Goes to any screen or template by typing a part of its name (WAI-ARIA combobox with a listbox). */
export function Palette({ query, onClosed }: PaletteProps) {
  const t = useText()
  return (
    <Dialog title={t('Go to')} onClosed={onClosed}>
      {(close) => <Search typed={query} onChosen={close} />}
    </Dialog>
  )
}

function Search({ typed, onChosen }: { typed: string; onChosen: () => void }) {
  const t = useText()
  const { session, go } = useApp()
  const list = templateList(session)
  useEffect(() => void list.load(), [list])
  const { items: loaded, found: others, status, error, hasMore } = useSnapshot(list.state)
  const templates = useMemo(() => [...loaded, ...others], [loaded, others])
  const [query, setQuery] = useState(typed)
  const [further] = useState(() => searchTemplates(session, false))
  useEffect(() => {
    further.find(query)
  }, [further, query, hasMore])
  useEffect(() => () => further.stop(), [further])
  const search = useSnapshot(further.state)
  const [at, setAt] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const options = useRef<HTMLUListElement>(null)
  const listId = useId()
  const entries = useMemo(
    () =>
      entriesOf(
        [...sidebarItems, ...moreScreens].map((one) => ({ ...one, text: t(one.text) })),
        templates,
      ),
    [templates, t],
  )
  const found = useMemo(() => findEntries(entries, query), [entries, query])
  const active = found[at]

  useEffect(() => {
    input.current?.focus()
  }, [])
  useEffect(() => {
    options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, found])

  const choose = ({ path, state }: PaletteEntry) => {
    onChosen()
    go(path, { state })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1
    const moves: Partial<Record<string, number>> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    }
    const next = moves[event.key]
    if (next !== undefined) setAt(Math.max(0, next))
    else if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) choose(active)
    else return
    event.preventDefault()
  }
  return (
    <div className="palette">
      <input
        ref={input}
        className="palette-input"
        role="combobox"
        aria-label={t('Screen or template')}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active && `${listId}-${at}`}
        placeholder={t('Screen or template')}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={options} id={listId} role="listbox" aria-label={t('Screens and templates')}>
        {found.map((entry, index) => (
          <li
            key={`${entry.kind} ${entry.id}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(entry)}
          >
            <span>{entry.text}</span>
            <small>{t(entry.kind)}</small>
          </li>
        ))}
      </ul>
      <p role="status">
        {search.status === 'searching' && t('Searching...')}
        {search.status === 'failed' && t('Templates could not be searched: {error}', { error: search.error ?? '' })}
        {found.length === 0 && search.status === 'idle' && t('No results for “{query}”.', { query: query.trim() })}
        {status === 'loading' && templates.length === 0 && t('Loading templates...')}
        {status === 'failed' && t('Templates could not be loaded: {error}', { error: error ?? '' })}
      </p>
    </div>
  )
}
