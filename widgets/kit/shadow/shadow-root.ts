import { createContext } from 'react'

/** The shadow root that a component is in; null in the document. */
export const ShadowRootContext = createContext<ShadowRoot | null>(null)
