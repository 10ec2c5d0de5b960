import { useEffect, useRef } from 'react'

/**
 * A place for a widget: fetches it, mounts it in a shadow root of its own, takes it out with the screen. `mount` must be
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
