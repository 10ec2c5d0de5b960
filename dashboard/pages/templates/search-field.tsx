import { useEffect, useRef } from 'react'

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
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.composedPath()[0] as Element).matches('input, textarea, select')) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
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
            ? count.all.toLocaleString()
            : `${count.found.toLocaleString()} of ${count.all.toLocaleString()}`)}
      </span>
    </div>
  )
}
