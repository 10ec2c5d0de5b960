import { useContext, useLayoutEffect } from 'react'
import { ShadowRootContext } from './shadow-root.ts'

/** A stylesheet, constructed on first use. */
export type Sheet = () => CSSStyleSheet

/** Returns one stylesheet object for the CSS of a module; call it at module level. */
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
 * Adopts a component's stylesheet in its root before the first paint: the widget's shadow root, or the dashboard's
 * document. Adopted once per root. A strict content security policy would refuse a `<style>`.
 */
export function useSheet(sheet: Sheet): void {
  const shadow = useContext(ShadowRootContext)
  useLayoutEffect(() => {
    const root = shadow ?? document
    if (!root.adoptedStyleSheets.includes(sheet())) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet()]
  }, [shadow, sheet])
}
