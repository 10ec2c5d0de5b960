/** The source as a text box holds it: its line ends are all LF. */
export const toBoxText = (source: string): string => (source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source)

/**
 * The source after an edit in a text box, as one splice between the common start and the common end: lines that were not
 * touched keep their line ends. What is typed has the line ends of the source: CRLF if its first line ends so, else LF.
 */
export function spliceSource(source: string, edited: string): string {
  if (!source.includes('\r')) return edited
  const before = toBoxText(source)
  const shorter = Math.min(before.length, edited.length)
  let start = 0
  while (start < shorter && before[start] === edited[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === edited[edited.length - 1 - end]) end++
  const inner = edited.slice(start, edited.length - end)
  const lineEnd = /^[^\r\n]*\r\n/.test(source) ? '\r\n' : '\n'
  const [from, to] = [sourcePlace(source, start), sourcePlace(source, before.length - end)]
  const [head, rest] = [source.slice(0, from), inner.replaceAll('\n', lineEnd) + source.slice(to)]
  // A lone CR and the LF behind it would become one line end.
  return head.endsWith('\r') && rest.startsWith('\n') ? `${head}\n${rest}` : head + rest
}

/** The place in the source of a place in the box's text. */
function sourcePlace(source: string, boxPlace: number): number {
  let place = 0
  for (let left = boxPlace; left > 0; left--) place += source[place] === '\r' && source[place + 1] === '\n' ? 2 : 1
  return place
}
