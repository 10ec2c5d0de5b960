import { createContext, useContext, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

const Root = createContext<ShadowRoot | null>(null)

/** What the embed has in react-shadow's place: the part of it that widgets use, in a tenth of its size. */
const shadow = { div: ShadowDiv }
export { shadow as default }

/** The shadow root that a component stands in. */
export const useShadowRoot = () => useContext(Root)

function ShadowDiv({ children }: { children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot | null>(null)
  useLayoutEffect(() => setRoot(host.current?.attachShadow({ mode: 'open' }) ?? null), [])
  return (
    <div ref={host} {...{ exportparts: 'button,field,dialog' }}>
      {root && <Root.Provider value={root}>{createPortal(children, root)}</Root.Provider>}
    </div>
  )
}
