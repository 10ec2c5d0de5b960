import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { ShadowRootContext } from './shadow-root.ts'

/**
 * The embed's version of shadow-div.tsx, a tenth of the size of react-shadow. It renders its first children in a root of
 * their own: a portal would follow them, at twice the size.
 */
export function ShadowDiv({ children }: { children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!host.current) return
    const shadowRoot = host.current.attachShadow({ mode: 'open' })
    const root = createRoot(shadowRoot)
    root.render(<ShadowRootContext.Provider value={shadowRoot}>{children}</ShadowRootContext.Provider>)
    return () => root.unmount()
    // oxlint-disable-next-line react/exhaustive-deps -- mountInShadow renders once
  }, [])
  return <div ref={host} {...{ exportparts: 'button,field,dialog' }} />
}
