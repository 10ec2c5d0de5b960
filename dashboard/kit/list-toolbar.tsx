import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { chevronDown } from '../../widgets/kit/icon/icons.ts'
import { useSearchKey } from './use-search-key.ts'

export interface ListToolbarProps {
  label: string
  placeholder: string
  search: string
  /** Called after a pause in typing. */
  onSearch: (text: string) => void
  /** The filters beside the search. */
  choice: { label: string; value: string; options: readonly { value: string; text: string }[] }
  onChoice: (value: string) => void
}

const typingMs = 250

/** The search and the choice above a long list. `/` puts the focus in the search, Esc empties it. */
export function ListToolbar({ label, placeholder, search, onSearch, choice, onChoice }: ListToolbarProps) {
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
      <span className="list-choice">
        <select
          aria-label={choice.label}
          value={choice.value}
          onChange={(event) => onChoice(event.currentTarget.value)}
        >
          {choice.options.map(({ value, text: name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <Icon of={chevronDown} size={16} />
      </span>
    </div>
  )
}
