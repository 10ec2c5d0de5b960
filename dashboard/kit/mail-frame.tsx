import { useCallback, useEffect, useRef } from 'react'
import { readMail } from './mail-document.ts'

const noImages: ReadonlyMap<string, string> = new Map()

/**
 * A mail's HTML in a sandboxed frame. The frame loads a page of our own whose policy is its own, and is filled from here:
 * a `srcdoc` would inherit this page's policy, which allows no style. Links open in a window of their own.
 */
export function MailFrame({
  html,
  title,
  images = noImages,
}: {
  html: string
  title: string
  /** Addresses of the images that the mail names by `cid:`. */
  images?: ReadonlyMap<string, string>
}) {
  const frame = useRef<HTMLIFrameElement>(null)

  const fill = useCallback(() => {
    const inner = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined
    if (inner?.location.pathname !== '/preview-frame') return
    const page = inner.document
    const mail = readMail(html, inner.DOMParser)
    for (const image of mail.querySelectorAll('img')) {
      const id = /^cid:(.+)/i.exec(image.getAttribute('src') ?? '')?.[1]
      const address = id === undefined ? undefined : images.get(id)
      if (address !== undefined) image.setAttribute('src', address)
    }
    const margin = page.createElement('style')
    margin.textContent = 'body { margin: 20px }'
    page.head.replaceChildren(margin, ...mail.head.querySelectorAll('style'))
    page.body.replaceWith(page.adoptNode(mail.body))
    page.addEventListener('click', openLink)
  }, [html, images])
  // Another mail in a frame that has loaded; the first one waits for the load event.
  useEffect(() => {
    fill()
  }, [fill])

  return (
    <iframe
      ref={frame}
      className="mail-frame"
      title={title}
      src="/preview-frame"
      sandbox="allow-same-origin"
      onLoad={fill}
    />
  )
}

function openLink(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a')
  if (!link) return
  event.preventDefault()
  if (/^https?:/.test(link.href)) window.open(link.href, '_blank', 'noopener,noreferrer')
}
