import { useCallback, useEffect, useRef, useState } from 'react'
import { css } from './mail-frame.css'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { useMessages } from '../text/text.tsx'
import { useModule } from '../use-module.ts'
import { drawLater } from './draw-later.ts'
import { useScale } from './use-scale.ts'
import type { DrawnPage } from '../../lib/mail-page.ts'

const sheet = createSheet(css)
const loadDrawing = () => import('../../lib/mail-page.ts')

/** Width at which a mail is drawn before it is made small, in px: its own 600, and the paper at its sides. */
export const smallMailWidth = 640

export interface MailFrameProps {
  html: string
  /** What the frame is called for assistive tools. */
  title: string
  /** Called with the body after each drawing, to add to it; should not change from render to render. */
  onDrawn?: ((body: HTMLElement) => void) | undefined
}

/**
 * A mail in a sandboxed frame of its own document: no script runs in it, no form is sent, no link leads away, and what is
 * fixed or huge in it stays in it. The frame is filled node by node, so that a page with a strict content policy and
 * Trusted Types need not be asked.
 */
export function MailFrame({ html, title, onDrawn }: MailFrameProps) {
  useSheet(sheet)
  const frame = useRef<HTMLIFrameElement>(null)
  const drawn = useRef<DrawnPage | null>(null)
  const draw = useModule(loadDrawing, true).module?.drawMailPage
  const fill = useCallback(() => {
    const page = frame.current?.contentDocument
    if (!page || !draw) return
    // What `onDrawn` added is not part of what was drawn: such a mail is drawn from the beginning.
    drawn.current = draw(page, html, onDrawn ? null : drawn.current)
    onDrawn?.(page.body)
    page.onkeydown = (event) => event.key === 'Escape' && askToClose(frame.current)
  }, [html, draw, onDrawn])
  useEffect(() => {
    fill()
  }, [fill])
  // Firefox puts a new empty document in after a moment; it is filled again then.
  return <iframe ref={frame} className="mail-frame" title={title} sandbox="allow-same-origin" onLoad={fill} />
}

/** A scaled-down mail, drawn only while it is near the viewport; not focusable, because its name is beside it. */
export function MailThumbnail({ html }: { html: string }) {
  useSheet(sheet)
  const t = useMessages()
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let cancel: (() => void) | undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        cancel?.()
        if (entry?.isIntersecting === true) cancel = drawLater(() => setNear(true))
        else setNear(false)
      },
      { rootMargin: '400px' },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      cancel?.()
    }
  }, [])
  useScale(place, smallMailWidth)
  return (
    <div className="thumbnail" ref={place} aria-hidden="true" inert>
      {isNear && <MailFrame html={html} title={t('Preview')} />}
    </div>
  )
}

/** Keys that are pressed in a frame do not reach the dialog around it. */
function askToClose(frame: HTMLIFrameElement | null): void {
  frame?.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
}
