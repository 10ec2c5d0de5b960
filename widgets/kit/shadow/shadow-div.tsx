import type { ComponentType, ReactNode } from 'react'
import shadow, { useShadowRoot } from 'react-shadow'
import { ShadowRootContext } from './shadow-root.ts'

// Its types list no names: any element can hold a shadow root.
const Div = shadow['div'] as ComponentType<{ styleSheets: CSSStyleSheet[]; children: ReactNode }>
// The same array in every render: for another one it would attach a second shadow root.
// oxlint-disable-next-line sendwright/module-state -- never filled
const noSheets: CSSStyleSheet[] = []

/** An element with a shadow root that holds the children. The embed has slim-shadow.tsx in its place (commands/build/aliases.ts). */
export function ShadowDiv({ children }: { children: ReactNode }) {
  return (
    <Div styleSheets={noSheets}>
      <Provide>{children}</Provide>
    </Div>
  )
}

function Provide({ children }: { children: ReactNode }) {
  return <ShadowRootContext.Provider value={useShadowRoot()}>{children}</ShadowRootContext.Provider>
}
