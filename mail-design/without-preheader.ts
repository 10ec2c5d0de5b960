/**
 * The HTML of a design without its preheader, as `renderPreheader` writes it: without the hidden element of text with which
 * its body begins. Unchanged where there is none.
 */
export function withoutPreheader(html: string): string {
  const body = /<body(?:\s[^<>]*)?>/i.exec(html)
  const at = body === null ? 0 : body.index + body[0].length
  const hidden = /^(\s*)<(div|span|p)\s([^<>]*)>[^<]*<\/\2>\n?/i.exec(html.slice(at))
  if (hidden === null || !/display:\s*none/i.test(hidden[3] ?? '')) return html
  return html.slice(0, at) + (hidden[1] ?? '') + html.slice(at + hidden[0].length)
}
