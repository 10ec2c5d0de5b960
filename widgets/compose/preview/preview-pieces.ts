import { drawPieces as draw, type DrawnPiece, type ReadMail } from '../../lib/draw-mail.ts'
import { cutMessage } from './end-tags.ts'
import type { MailPiece } from '../../lib/mail-pieces.ts'

// oxlint-disable-next-line sendwright/module-state -- a cache
let last: { html: string; pieces: MailPiece[] } = { html: '', pieces: [] }

function piecesOf(html: string): MailPiece[] {
  if (last.html !== html) last = { html, pieces: cutMessage(html) }
  return last.pieces
}

/** Whether a change in the message can be drawn alone: not while a tag is incomplete, for example. */
export function isCut(html: string): boolean {
  return piecesOf(html).some(({ isApart }) => !isApart)
}

/** Draws what has changed of a message since `before`. Fetched with the first that is long or has a picture. */
export function drawPieces(place: Element, before: readonly DrawnPiece[], html: string, read: ReadMail): DrawnPiece[] {
  if (before.length === 0) place.replaceChildren()
  return draw(place, before, piecesOf(html), read)
}
