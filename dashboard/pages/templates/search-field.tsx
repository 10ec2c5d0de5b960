import { useRef } from 'react'
import { useSearchKey } from '../../kit/use-search-key.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

export interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  /** How many are found of how many; null while nothing is there. */
  count: { found: number; all: number } | null
  onValue: (value: string) => void
}

/** A search above a list. `/` puts the focus in it, Esc empties it. */
export function SearchField({ label, placeholder, value, count, onValue }: SearchFieldProps) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  useSearchKey(input)
  return (
    <div className="search">
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onValue('')}
      />
      <span role="status">
        {count &&
          (count.found === count.all
            ? count.all.toLocaleString(t.lang)
            : t('{found} of {all}', { found: count.found, all: count.all }))}
      </span>
    </div>
  )
}
