import { useEffect, useRef } from 'react'

/**
 * Mounts a lazily loaded widget in a shadow root, and unmounts it with the screen. `mount` must be
 * the same function in every render.
 */
export function WidgetMount({ mount }: { mount: (element: HTMLElement) => Promise<() => void> }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const mounted = mount(element)
    return () => void mounted.then((unmount) => unmount())
  }, [mount])
  return <div className="widget-place" ref={place} />
}
