import { useEffect, useRef } from 'react'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { highlight, highlightMaxChars } from '../../lib/highlight.ts'
import { css } from './syntax-overlay.css'

const sheet = createSheet(css)

/** The control's text again, in colours, exactly behind it; the control then shows its caret only. */
export function SyntaxOverlay({ text, control }: { text: string; control: { readonly current: HTMLElement | null } }) {
  useSheet(sheet)
  const paint = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const element = control.current
    const follow = () => {
      paint.current?.scrollTo(element?.scrollLeft ?? 0, element?.scrollTop ?? 0)
    }
    follow()
    element?.addEventListener('scroll', follow)
    return () => element?.removeEventListener('scroll', follow)
  }, [control, text])
  if (text.length > highlightMaxChars) return null
  return (
    <pre className="paint" dir="auto" translate="no" aria-hidden="true" ref={paint}>
      {highlight(text).map(({ text: piece, kind }, at) => (
        <span key={at} className={kind}>
          {piece}
        </span>
      ))}
      {'\n'}
    </pre>
  )
}
