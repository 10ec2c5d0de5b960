import { createContext, useContext, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

const Root = createContext<ShadowRoot | null>(null)

/** What the embed has in react-shadow's place: the part of it that widgets use, in a tenth of its size. */
const shadow = { div: ShadowDiv }
export { shadow as default }

/** The shadow root that a component stands in. */
export const useShadowRoot = () => useContext(Root)

/** Draws its first children, in a root of their own: a portal would follow them, at twice the size. */
function ShadowDiv({ children }: { children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!host.current) return
    const shadowRoot = host.current.attachShadow({ mode: 'open' })
    const root = createRoot(shadowRoot)
    root.render(<Root.Provider value={shadowRoot}>{children}</Root.Provider>)
    return () => root.unmount()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- mountInShadow renders once
  }, [])
  return <div ref={host} {...{ exportparts: 'button,field,dialog' }} />
}
