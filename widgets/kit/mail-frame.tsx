import { useCallback, useEffect, useRef, useState } from 'react'
import { css } from './mail-frame.css'
import { createSheet, useSheet } from './sheet.ts'
import { useModule } from './use-module.ts'
import type { MailNodes } from '../lib/mail-nodes.ts'

const sheet = createSheet(css)
const loadReader = () => import('../lib/mail-nodes.ts')

/** What the frame may load, whatever the page around it may. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:"

/** Mail is written for white paper, whatever the scheme around it. */
const paper = `:root{background:#fff;color:#1c1b19;color-scheme:light}
body{font:16px/1.5 Arial,Helvetica,sans-serif;margin:0;overflow-wrap:break-word;padding:20px}
a{color:#0645ad;text-decoration:underline}
img{max-width:100%}`

/** Width at which a mail is drawn before it is made small, in px. */
const thumbnailMailWidth = 640

export interface MailFrameProps {
  html: string
  /** What the frame is called for assistive tools. */
  title: string
}

/**
 * A mail in a sandboxed frame of its own document: no script runs in it, no form is sent, no link leads away, and what is
 * fixed or huge in it stays in it. The frame is filled node by node, so that a page with a strict content policy and
 * Trusted Types need not be asked.
 */
export function MailFrame({ html, title }: MailFrameProps) {
  useSheet(sheet)
  const frame = useRef<HTMLIFrameElement>(null)
  const reader = useModule(loadReader, true)
  const read = reader.status === 'ready' ? reader.module.readMail : null
  const fill = useCallback(() => {
    const page = frame.current?.contentDocument
    if (!page || !read) return
    fillPage(page, read(html))
    page.onkeydown = (event) => event.key === 'Escape' && askToClose(frame.current)
  }, [html, read])
  useEffect(fill, [fill])
  // Firefox puts a new empty document in after a moment; it is filled again then.
  return <iframe ref={frame} className="mail-frame" title={title} sandbox="allow-same-origin" onLoad={fill} />
}

/** A mail made small, drawn only while it is near the visible part of the page; not to be reached, for what it is stands beside it. */
export function MailThumbnail({ html }: { html: string }) {
  useSheet(sheet)
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting === true), {
      rootMargin: '400px',
    })
    const resize = new ResizeObserver(([entry]) => {
      const scale = (entry?.contentRect.width ?? thumbnailMailWidth) / thumbnailMailWidth
      element.style.setProperty('--scale', String(scale))
    })
    observer.observe(element)
    resize.observe(element)
    return () => {
      observer.disconnect()
      resize.disconnect()
    }
  }, [])
  return (
    <div className="thumbnail" ref={place} aria-hidden="true" inert>
      {isNear && <MailFrame html={html} title="Preview" />}
    </div>
  )
}

/** Keys that are pressed in a frame do not reach the dialog around it. */
function askToClose(frame: HTMLIFrameElement | null): void {
  frame?.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
}

function fillPage(page: Document, { body, css: mailCss }: MailNodes): void {
  const inner = page.defaultView
  if (inner === null) return
  if (page.head.firstChild === null) {
    const meta = page.createElement('meta')
    meta.httpEquiv = 'Content-Security-Policy'
    meta.content = policy
    page.head.append(meta)
  }
  page.adoptedStyleSheets = [paper, mailCss].map((text) => {
    const made = new inner.CSSStyleSheet()
    made.replaceSync(text)
    return made
  })
  page.body.replaceWith(page.adoptNode(body))
}
