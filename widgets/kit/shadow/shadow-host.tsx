import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { useSnapshot } from 'valtio'
import { Boundary } from '../feedback/boundary.tsx'
import { css as hostCss } from './shadow-host.css'
import { pageLanguage, type Language } from '../../lib/messages/messages.ts'
import { ShadowDiv } from './shadow-div.tsx'
import { createSheet, useSheet } from './sheet.ts'
import { Text } from '../text/text.tsx'
import { css as tokensCss } from './tokens.css'

const tokens = createSheet(tokensCss)
const host = createSheet(hostCss)

/** Adopts the tokens and the host's own rules before any other stylesheet of the widget. */
function Inside({ language, children }: { language: Language; children: ReactNode }) {
  useSheet(tokens)
  useSheet(host)
  return (
    <Text.Provider value={useSnapshot(language).t}>
      <Boundary>{children}</Boundary>
    </Text.Provider>
  )
}

/**
 * Draws a widget into an element, in an open shadow root of its own: tests, assistive tools and password managers reach
 * in, the page's styles do not. Returns its undo, which leaves the element as it was.
 */
export function mountInShadow(element: Element, widget: ReactNode, language = pageLanguage): () => void {
  const place = document.createElement('div')
  element.append(place)
  const root = createRoot(place)
  root.render(
    <ShadowDiv>
      <Inside language={language}>{widget}</Inside>
    </ShadowDiv>,
  )
  return () => {
    root.unmount()
    place.remove()
  }
}
