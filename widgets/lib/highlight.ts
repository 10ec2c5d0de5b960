/** A piece of a message's source, and what it is. */
export interface Piece {
  text: string
  kind: 'text' | 'tag' | 'variable'
}

/** Above this many characters a source is shown in one colour: painting it would lag behind the typing. */
export const highlightMaxChars = 20_000

/** Cuts a source into tags, merge variables and text; the pieces joined are the source. */
export function highlight(source: string): Piece[] {
  if (source.length > highlightMaxChars) return [{ text: source, kind: 'text' }]
  return source
    .split(/(\{\{[^{}\n]*\}\}|<\/?[a-z][^<>{}]*>)/i)
    .filter((text) => text !== '')
    .map((text) => ({
      text,
      kind: text.startsWith('{{') ? 'variable' : /^<\/?[a-z].*>$/is.test(text) ? 'tag' : 'text',
    }))
}
