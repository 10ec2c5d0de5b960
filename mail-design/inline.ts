import type { Inline, List, Marks, Paragraph, TextStyle } from '../contract/design/design.ts'
import { escapeTemplate, escapeText } from './merge-text.ts'
import type { StyleSheet } from './style-sheet.ts'
import { attributes, fontStack, mergeStyles, textAttributes, textStyle } from './text-style.ts'

/** Pieces of text as HTML. Neighbours with the same link share one `<a>`. */
export function renderInline(content: readonly Inline[], sheet: StyleSheet, linkStyle: TextStyle = {}): string {
  let html = ''
  let openLink: string | null = null
  for (const piece of content) {
    const marks = 'break' in piece ? undefined : piece.marks
    const link: string | null = 'break' in piece ? openLink : (marks?.link ?? null)
    if (link !== openLink) {
      if (openLink !== null) html += '</a>'
      if (link !== null) html += linkTag(link, marks ?? {}, linkStyle, sheet)
      openLink = link
    }
    html += 'break' in piece ? '<br>' : withMarks(shown(piece, sheet), marks ?? {}, sheet)
  }
  return openLink === null ? html : `${html}</a>`
}

function shown(piece: Exclude<Inline, { break: true }>, sheet: StyleSheet): string {
  return 'text' in piece
    ? escapeText(piece.text).replaceAll('\u00a0', '&nbsp;')
    : sheet.variable({ name: piece.variable, fallback: piece.fallback })
}

function linkTag(link: string, marks: Marks, style: TextStyle, sheet: StyleSheet): string {
  const { css, className } = sheet.colour(marks.colour ?? style.colour ?? 'link', 'color')
  const line = `text-decoration:${marks.u === false ? 'none' : 'underline'}`
  return `<a href="${escapeTemplate(link, 'attribute')}" target="_blank"${attributes([className], [css, line])}>`
}

function withMarks(text: string, marks: Marks, sheet: StyleSheet): string {
  let html = text
  if (marks.dropCap === true) html = dropCap(html, marks, sheet)
  else html = withStyle(html, marks, sheet)
  if (marks.s === true) html = `<s>${html}</s>`
  if (marks.u === true && marks.link === undefined) html = `<u>${html}</u>`
  if (marks.i === true) html = `<i>${html}</i>`
  return marks.b === true ? `<b>${html}</b>` : html
}

function withStyle(html: string, { link, colour, size, lineHeight, font }: Marks, sheet: StyleSheet): string {
  const paint = colour === undefined || link !== undefined ? null : sheet.colour(colour, 'color')
  const css = [
    paint?.css ?? '',
    size === undefined ? '' : `font-size:${size}px`,
    lineHeight === undefined ? '' : `line-height:${lineHeight}px`,
    font === undefined ? '' : `font-family:${fontStack(font)}`,
  ]
  const given = attributes([paint?.className ?? ''], css)
  return given === '' ? html : `<span${given}>${html}</span>`
}

function dropCap(html: string, { size = 58, lineHeight = 44, colour = 'text' }: Marks, sheet: StyleSheet): string {
  const { css, className } = sheet.colour(colour, 'color')
  const place = ['float:left', 'padding:5px 8px 0 0', `font-size:${size}px`, `line-height:${lineHeight}px`]
  return `<span${attributes([className], [...place, 'font-weight:700', css])}>${html}</span>`
}

/** Paragraphs and lists of a text block. */
export function renderParagraphs(
  content: readonly Paragraph[],
  style: TextStyle | undefined,
  sheet: StyleSheet,
): string {
  return content
    .map((paragraph) => {
      const merged = mergeStyles(textStyle, style, paragraph.style)
      if (paragraph.type === 'list') return renderList(paragraph, merged, sheet)
      return `<p${textAttributes(merged, sheet)}>${renderInline(paragraph.content, sheet)}</p>`
    })
    .join('')
}

function renderList({ ordered, items }: List, style: TextStyle, sheet: StyleSheet): string {
  const tag = ordered ? 'ol' : 'ul'
  const { before = 0, after = 0, ...itemStyle } = style
  const inner = mergeStyles(itemStyle, { before: 0, after: 4 })
  const entries = items.map(
    ({ content, list }) =>
      `<li${textAttributes(inner, sheet)}>${renderInline(content, sheet)}` +
      `${list === undefined ? '' : renderList(list, { ...itemStyle, before: 4, after: 0 }, sheet)}</li>`,
  )
  return `<${tag} style="margin:${before}px 0 ${after}px;padding:0 0 0 24px">${entries.join('')}</${tag}>`
}
