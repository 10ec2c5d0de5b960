import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'
import { chevronDown, x } from '../../widgets/kit/icon/icons.ts'
import { useSearchKey } from './use-search-key.ts'

export interface ListToolbarProps {
  label: string
  placeholder: string
  search: string
  /** Called after a pause in typing. */
  onSearch: (text: string) => void
  /** The filters beside the search. */
  choice: Choice
  onChoice: (value: string) => void
  /** A second choice beside it. */
  second?: Choice
  onSecond?: (value: string) => void
  /** Choices beside these. */
  more?: ReactNode
  /** Further filters that are set, each with a button that removes it. */
  chips?: readonly { name: string; text: string }[]
  onChip?: (name: string) => void
}

interface Choice {
  label: string
  value: string
  options: readonly { value: string; text: string }[]
}

const typingMs = 250

/** The search and the choice above a long list. `/` puts the focus in the search, Esc empties it. */
export function ListToolbar(props: ListToolbarProps) {
  const { label, placeholder, search, onSearch, choice, onChoice, second, onSecond, more, chips = [], onChip } = props
  const t = useText()
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  const input = useRef<HTMLInputElement>(null)
  // Emptied from elsewhere, such as by 'Show all'.
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
    <div className="list-tools" role="search">
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
      <ListChoice choice={choice} onChoice={onChoice} />
      {second && onSecond && <ListChoice choice={second} onChoice={onSecond} />}
      {more}
      {chips.map(({ name, text: words }) => (
        <span className="list-chip" key={name}>
          <span translate="no">{words}</span>
          <button
            type="button"
            aria-label={t('Remove the filter {filter}', { filter: words })}
            onClick={() => onChip?.(name)}
          >
            <Icon of={x} size={14} />
          </button>
        </span>
      ))}
    </div>
  )
}

/** One choice of a list's filter. */
export function ListChoice({ choice, onChoice }: { choice: Choice; onChoice: (value: string) => void }) {
  return (
    <span className="list-choice">
      <select aria-label={choice.label} value={choice.value} onChange={(event) => onChoice(event.currentTarget.value)}>
        {choice.options.map(({ value, text: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <Icon of={chevronDown} size={16} />
    </span>
  )
}
