/** Elements that end by themselves. */
const empty = /^(?:br|img|hr|col|wbr|input|meta|link|base)$/i
/** What is read by rules of its own, so that its end is not told by counting tags. */
const odd =
  /<(?:[!?]|\/?(?:script|style|textarea|title|xmp|iframe|noscript|noembed|plaintext|template|svg|math|select)\b)/i

/**
 * Cuts HTML between its outermost elements, so that a change in one of them leaves the others alone; in one piece where it
 * is not plain enough. Joined, the pieces are the HTML. Each is sanitised by itself: a wrong cut can look wrong, not be wrong.
 */
export function cutMail(html: string): string[] {
  if (odd.test(html)) return [html]
  const pieces: string[] = []
  const open: string[] = []
  let from = 0
  for (const tag of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^<>"'])*>/gi)) {
    const [text, isEnd, name = ''] = tag
    if (empty.test(name)) continue
    if (isEnd === '') {
      open.push(name.toLowerCase())
      continue
    }
    if (open.pop() !== name.toLowerCase()) return [html]
    if (open.length > 0) continue
    const to = tag.index + text.length
    pieces.push(html.slice(from, to))
    from = to
  }
  if (open.length > 0) return [html]
  if (from < html.length) pieces.push(html.slice(from))
  return pieces
}
