import { useEffect, type RefObject } from 'react'

/** `/` moves the focus to the search of the screen, unless another field has the focus or a dialog is open. */
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
