import { useEffect, useState, type RefObject } from 'react'

/** Rendered rows above and below the visible ones. */
const spareCount = 8

/** The rendered rows of a long list, and their heights. */
export interface VisibleRows {
  from: number
  to: number
  rowPx: number
}

/**
 * Follows the page's scrolling and the list's width, so that only the visible rows are rendered. `heights`
 * are those of a row in a place narrower than `narrowPx`, and in a wider one.
 */
export function useVisibleRows(
  place: RefObject<HTMLElement | null>,
  count: number,
  heights: { narrowPx: number; narrow: number; wide: number },
): VisibleRows {
  const { narrowPx, narrow, wide } = heights
  const [visible, setVisible] = useState<VisibleRows>({ from: 0, to: 2 * spareCount, rowPx: wide })
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = () => {
      const { top, width } = element.getBoundingClientRect()
      const rowPx = width < narrowPx ? narrow : wide
      // In steps, so that not every pixel renders the list again.
      const first = Math.floor(Math.max(0, -top) / rowPx / spareCount) * spareCount
      const from = Math.max(0, first - spareCount)
      const to = first + Math.ceil(window.innerHeight / rowPx) + 2 * spareCount
      setVisible((known) =>
        known.from === from && known.to === to && known.rowPx === rowPx ? known : { from, to, rowPx },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [place, narrowPx, narrow, wide])
  return { ...visible, from: Math.min(visible.from, Math.max(0, count - 1)), to: Math.min(visible.to, count) }
}
