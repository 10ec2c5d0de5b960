import { drawPieces, findPieces, markPieces, type DrawnPiece } from './draw-mail.ts'
import { readMail, readMailPart } from './mail-nodes.ts'
import { cutMail } from './mail-pieces.ts'
import { ownImages } from './own-images.ts'

/** What the frame may load, whatever the page around it may. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src https: data: ${ownImages}`

/** Mail is written for white paper, whatever the scheme around it. */
const paper = `:root{background:#fff;color:#1c1b19;color-scheme:light}
body{font:16px/1.5 Arial,Helvetica,sans-serif;margin:0;overflow-wrap:break-word;padding:20px}
a{color:#0645ad;text-decoration:underline}
img{max-width:100%}`

/** A mail in the document of a frame. */
export interface DrawnPage {
  page: Document
  /** What begins and ends the document, or all of it where it could not be cut. */
  apart: string
  pieces: DrawnPiece[]
}

/** Fills a frame's document with a mail; draws only the changes if it has one already. */
export function drawMailPage(page: Document, html: string, before: DrawnPage | null): DrawnPage {
  const all = cutMail(html)
  const pieces = all.filter(({ isApart }) => !isApart)
  const [head = '', foot = ''] = all.filter(({ isApart }) => isApart).map(({ source }) => source)
  const apart = `${head}\0${foot}`
  if (before?.page === page && before.apart === apart) {
    return { page, apart, pieces: drawPieces(page.body, before.pieces, pieces, readMailPart) }
  }
  const { body, css } = readMail(head + markPieces(pieces) + foot)
  const drawn = findPieces(body, pieces)
  fill(page, body, css)
  return { page, apart, pieces: drawn }
}

function fill(page: Document, body: HTMLElement, mailCss: string): void {
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
