import { useEffect, type RefObject } from 'react'

/** `/` puts the focus in a screen's search, unless somebody writes elsewhere or a dialog is open. */
export function useSearchKey(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.composedPath()[0] as Element).matches('input, textarea, select')) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      search.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [search])
}
