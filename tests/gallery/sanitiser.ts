import { drawPieces, type DrawnPiece } from '../../widgets/lib/draw-mail.ts'
import { cutMail } from '../../widgets/lib/mail-pieces.ts'
import { readMail } from '../../widgets/lib/mail-nodes.ts'
import { drawMailPage, type DrawnPage } from '../../widgets/lib/mail-page.ts'
import { sanitise } from '../../widgets/lib/sanitise.ts'

/** Puts HTML into the page as a preview would and gives what stands there: a page for tests of the sanitiser alone. */
function show(html: string): string {
  const place = document.querySelector('main')
  place?.replaceChildren(sanitise(html))
  return place?.innerHTML ?? ''
}

/** Draws versions of a message one over the other, as they come while somebody types, and gives what stands there then. */
function redraw(versions: readonly string[]): string {
  const place = document.createElement('div')
  let drawn: DrawnPiece[] = []
  for (const html of versions) drawn = drawPieces(place, drawn, cutMail(html), sanitise)
  return place.innerHTML
}

/** Draws into a frame's document what it is given, one version over the other. */
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

/** A mail as it is read for a frame, in one go. */
const showInFrame = (html: string) => readMail(html).body.outerHTML

Object.assign(window, { show, showInFrame, redraw, redrawFrame, keep })
