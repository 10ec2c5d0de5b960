import { useEffect, useState, type RefObject } from 'react'

/** Rows that are drawn beyond those that are seen, on each side. */
const beyondCount = 12
/** The first row moves in steps, so that not every scrolled pixel draws anew. */
const stepCount = 4

/**
 * Which rows of a fixed height are to be drawn: those in sight and some beyond. `list` holds the rows; whatever around it
 * scrolls is followed.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  { rowPx, count }: { rowPx: number; count: number },
): { first: number; end: number } {
  const [{ first, end }, setShown] = useState({ first: 0, end: 40 })
  useEffect(() => {
    const measure = () => {
      if (list.current === null) return
      const box = list.current.getBoundingClientRect()
      const top = Math.max(0, -box.top + Math.max(0, list.current.parentElement?.getBoundingClientRect().top ?? 0))
      const begin = Math.max(0, Math.floor(top / rowPx) - beyondCount)
      const next = {
        first: begin - (begin % stepCount),
        end: Math.ceil((top + innerHeight) / rowPx) + beyondCount,
      }
      setShown((known) => (known.first === next.first && known.end === next.end ? known : next))
    }
    measure()
    // Scrolling does not bubble.
    document.addEventListener('scroll', measure, { capture: true, passive: true })
    window.addEventListener('resize', measure)
    return () => {
      document.removeEventListener('scroll', measure, { capture: true })
      window.removeEventListener('resize', measure)
    }
  }, [list, rowPx, count])
  const last = Math.min(end, count)
  return { first: Math.min(first, last), end: last }
}
