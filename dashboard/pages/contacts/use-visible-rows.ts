import { useEffect, useState, type RefObject } from 'react'

/** Rows that are drawn beyond those that are seen, on each side. */
const beyondCount = 12
/** The first row moves in steps, so that not every scrolled pixel renders again. */
const stepCount = 4

/**
 * Which rows of a fixed height are to be drawn: those in sight and some beyond. `list` holds the rows; `scroller` around it
 * scrolls, or on a phone the page.
 */
export function useVisibleRows(
  { list, scroller }: { list: RefObject<HTMLElement | null>; scroller: RefObject<HTMLElement | null> },
  { rowPx, count }: { rowPx: number; count: number },
): { first: number; end: number } {
  const [{ first, end }, setShown] = useState({ first: 0, end: 40 })
  useEffect(() => {
    const measure = () => {
      if (list.current === null || scroller.current === null) return
      const seenFrom = Math.max(0, scroller.current.getBoundingClientRect().top)
      const top = Math.max(0, seenFrom - list.current.getBoundingClientRect().top)
      const begin = Math.max(0, Math.floor(top / rowPx) - beyondCount)
      const next = {
        first: begin - (begin % stepCount),
        end: Math.ceil((top + window.innerHeight) / rowPx) + beyondCount,
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
  }, [list, scroller, rowPx, count])
  const last = Math.min(end, count)
  return { first: Math.min(first, last), end: last }
}
