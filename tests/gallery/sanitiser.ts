import { drawPieces, type DrawnPiece } from '../../widgets/lib/draw-mail.ts'
import { cutMessage, withEndTags } from '../../widgets/compose/preview/end-tags.ts'
import { readMail } from '../../widgets/lib/mail-nodes.ts'
import { drawMailPage, type DrawnPage } from '../../widgets/lib/mail-page.ts'
import { sanitise } from '../../widgets/lib/sanitise.ts'

/** Inserts HTML into the page as a preview does and returns the result: a page for tests of the sanitiser alone. */
function show(html: string): string {
  const place = document.querySelector('main')
  place?.replaceChildren(sanitise(html))
  return place?.innerHTML ?? ''
}

/** Inserts HTML with the end tags that it leaves out. */
const showEnded = (html: string) => show(withEndTags(html))

/** Renders versions of a message one after the other, as during typing, and returns the resulting DOM. */
function redraw(versions: readonly string[]): string {
  const place = document.createElement('div')
  let drawn: DrawnPiece[] = []
  for (const html of versions) drawn = drawPieces(place, drawn, cutMessage(html), sanitise)
  return place.innerHTML
}

/** Renders versions one after the other into a frame's document. */
function keep(page: Document): (html: string) => void {
  let drawn: DrawnPage | null = null
  return (html) => {
    drawn = drawMailPage(page, html, drawn)
  }
}

/** As `redraw`, in the document of a frame. */
function redrawFrame(versions: readonly string[]): string {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-same-origin')
  document.body.append(frame)
  const page = frame.contentDocument!
  versions.forEach(keep(page))
  const shown = page.body.outerHTML
  frame.remove()
  return shown
}

/** A mail parsed for a frame in one go. */
const showInFrame = (html: string) => readMail(html).body.outerHTML

Object.assign(window, { show, showEnded, showInFrame, redraw, redrawFrame, keep })
