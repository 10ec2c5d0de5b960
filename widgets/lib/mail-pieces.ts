/** A part of a mail's HTML that is parsed separately: an element with the text before it, or text. */
export interface MailPiece {
  source: string
  /** Elements in it whose content is cut in turn; empty where it is not. */
  slots: MailSlot[]
  /** It begins or ends a document, or could not be cut: it cannot be read together with others. */
  isApart?: true
}

/** An element in a piece; `from` and `to` are the range of its content in the piece's source. */
export interface MailSlot {
  from: number
  to: number
  pieces: MailPiece[]
}

/** Content from this length on is cut further: below it, reading all of it again is quick. */
const slotMinChars = 3000

/** Deeper nested HTML is not cut: each level is read again for the one around it, and a parser ends levels at 512. */
export const depthMaxCount = 100

/** A comment, a tag as it is to be written, or the beginning of what is neither. */
export const token =
  /<!--(?!-?>)(?:(?!--!>)[^])*?-->|<(\/?)([a-z][^\s/>"'<=]*)(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>|<[!?/a-z]/gi
/** Elements without an end tag. */
const empty = /^(?:br|img|hr|col|wbr|input|meta|link|base)$/
/** Content with parsing rules of its own: its end is not found by counting tags. */
const odd =
  /^(?:script|style|textarea|title|xmp|iframe|noscript|noembed|plaintext|template|svg|math|select|html|head|body|frameset)$/
/** Only inside these is a piece parsed as it is separately: within a link, another link would end the first. */
const frame = /^(?:div|table|thead|tbody|tfoot|tr|td|th)$/
const holder = /^(?:div|td|th)$/
/** Within what a part of a table may begin: elsewhere it ends others, or is left out. */
const parents = new Map([
  ['table', /^(?!(?:table|thead|tbody|tfoot|tr)$)/],
  ...['thead', 'tbody', 'tfoot'].map((name) => [name, /^table$/] as const),
  ['tr', /^(?:table|thead|tbody|tfoot)$/],
  ...['td', 'th'].map((name) => [name, /^tr$/] as const),
])

const documentHead =
  /^\s*(?:<!doctype[^>]*>\s*)?<html\b[^>]*>\s*(?:<head\b[^>]*>[^]*?<\/head>\s*)?<body\b(?:"[^"]*"|'[^']*'|[^<>"'])*>/i
const documentFoot = /<\/body>\s*<\/html>\s*$/i

/** An element that has begun and not ended. */
interface Open {
  name: string
  isFrame: boolean
  /** Where its content begins. */
  inner: number
  /** Where the piece begins that is being read in it; null where it is not cut. */
  pieceFrom: number | null
  pieces: MailPiece[]
  slots: MailSlot[]
}

/**
 * Cuts HTML between its elements, so that a change in one of them leaves the others alone; in one piece where it is not
 * plain enough. Joined, the pieces are the HTML. Each is sanitised separately: a wrong cut can look wrong, not be wrong.
 */
export function cutMail(html: string): MailPiece[] {
  const head = documentHead.exec(html)?.[0] ?? ''
  const foot = head === '' ? '' : (documentFoot.exec(html)?.[0] ?? null)
  const pieces = foot === null ? null : cut(html.slice(head.length, html.length - foot.length))
  if (pieces === null || foot === null) return [{ source: html, slots: [], isApart: true }]
  if (head === '') return pieces
  return [{ source: head, slots: [], isApart: true }, ...pieces, { source: foot, slots: [], isApart: true }]
}

function cut(html: string): MailPiece[] | null {
  const root: Open = { name: '', isFrame: true, inner: 0, pieceFrom: 0, pieces: [], slots: [] }
  const open: Open[] = []
  let top = root
  for (const { 0: text, 1: isEnd, 2: spelled, index } of html.matchAll(token)) {
    if (spelled === undefined) {
      if (text.length === 2) return null
      continue
    }
    const name = spelled.toLowerCase()
    if (odd.test(name)) return null
    if (empty.test(name)) continue
    const end = index + text.length
    if (isEnd === '') {
      if (parents.get(name)?.test(top.name) === false) return null
      const isFrame = top.isFrame && frame.test(name)
      const pieceFrom = isFrame && holder.test(name) ? end : null
      if (open.length === depthMaxCount) return null
      open.push(top)
      top = { name, isFrame, inner: end, pieceFrom, pieces: [], slots: [] }
      continue
    }
    const around = open.pop()
    if (around === undefined || top.name !== name) return null
    finish(around, top, html, index, end)
    top = around
  }
  if (open.length > 0) return null
  addRest(root, html, html.length)
  return root.pieces
}

/** An element has ended: it becomes a piece with the text around it, or part of one. */
function finish(around: Open, { inner, pieceFrom, pieces, slots }: Open, html: string, to: number, end: number): void {
  const found = pieceFrom === null ? slots : to - inner < slotMinChars ? [] : [{ from: inner, to, pieces }]
  if (pieceFrom !== null && found.length > 0) addRest({ pieceFrom, pieces }, html, to)
  if (around.pieceFrom === null) {
    around.slots.push(...found)
    return
  }
  const at = around.pieceFrom
  const own = found.map((slot) => ({ ...slot, from: slot.from - at, to: slot.to - at }))
  around.pieces.push({ source: html.slice(at, end), slots: own })
  around.pieceFrom = end
}

/** The text after the last element. */
function addRest({ pieceFrom, pieces }: Pick<Open, 'pieceFrom' | 'pieces'>, html: string, to: number): void {
  if (pieceFrom !== null && pieceFrom < to) pieces.push({ source: html.slice(pieceFrom, to), slots: [] })
}
