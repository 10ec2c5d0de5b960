import { useLayoutEffect } from 'react'
import { useShadowRoot } from 'react-shadow'

/** A stylesheet that is made when something first wears it. */
export type Sheet = () => CSSStyleSheet

/** One stylesheet object for a module's text; call it at module level. */
export function createSheet(css: string): Sheet {
  let made: CSSStyleSheet | null = null
  return () => {
    if (made === null) {
      made = new CSSStyleSheet()
      made.replaceSync(css)
    }
    return made
  }
}

/**
 * Puts a component's stylesheet into the root it stands in, before the first paint: the widget's shadow root, or the
 * dashboard's document. Adopted once a root; it goes when the root goes. A `<style>` would be refused by a strict policy.
 */
export function useSheet(sheet: Sheet): void {
  const shadow = useShadowRoot() as ShadowRoot | null
  useLayoutEffect(() => {
    const root = shadow ?? document
    if (!root.adoptedStyleSheets.includes(sheet())) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet()]
  }, [shadow, sheet])
}
