import { useEffect, type RefObject } from 'react'

/** Keeps `--scale` on an element: how many times as wide it is as `width`, in px. */
export function useScale(place: RefObject<HTMLElement | null>, width: number): void {
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const resize = new ResizeObserver(([entry]) => {
      element.style.setProperty('--scale', String((entry?.contentRect.width ?? width) / width))
    })
    resize.observe(element)
    return () => resize.disconnect()
  }, [place, width])
}
