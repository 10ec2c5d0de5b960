import { escapeTemplate } from './merge-text.ts'

/**
 * Hidden text at the start of the body, in the colour of its background. Invisible characters fill the line, so that no
 * other text follows it there. Empty without a preheader.
 */
export function renderPreheader(preheader: string, hex: string): string {
  if (preheader === '') return ''
  const css = `display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all;color:${hex}`
  return `<div style="${css}">${escapeTemplate(preheader, 'text')}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>\n`
}

/** HTML code with a preheader at the start of its body; unchanged without one. */
export function withPreheader(html: string, preheader: string): string {
  const hidden = renderPreheader(preheader, '#ffffff')
  const body = /<body(?:\s[^<>]*)?>/i.exec(html)
  if (hidden === '' || body === null) return hidden + html
  const at = body.index + body[0].length
  return `${html.slice(0, at)}\n${hidden}${html.slice(at)}`
}
