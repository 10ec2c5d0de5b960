import { parseTemplate } from '../contract/mail/merge-variables.ts'

/** Elements whose content is no text of the mail. */
const silent = /^(?:script|style|head|title|template|noscript)$/
const paragraphs = /^(?:p|h[1-6]|ul|ol|table|blockquote|hr|pre|dl)$/
const lines = /^(?:div|li|tr|section|article|header|footer|nav|address|dt|dd|center|figure|figcaption)$/
const cells = /^t[dh]$/
const tagName = /^<(\/?)([a-z][a-z0-9]*)/i
const hidden = /\shidden(?=[\s=>/])|\saria-hidden\s*=\s*["']?true|display\s*:\s*none/i

/**
 * The words and link addresses of an HTML source in merge grammar, as a plain-text template: variables and conditions stay,
 * scripts, styles, comments and hidden elements are left out. Takes time linear in the length of the source.
 */
export function htmlText(source: string): string {
  const text = textOf(source)
  try {
    parseTemplate(text)
    return text
  } catch {
    // One border of a condition was in a comment or in a tag: its text always shows.
    return textOf(source.replace(/\{\{\s*(?:#if\b[^{}]*|(?:else|\/if)\s*)\}\}/g, ''))
  }
}

function textOf(source: string): string {
  let text = ''
  /** Its last two characters: to read them from a long text that grows would copy it. */
  let tail = ''
  const add = (piece: string) => {
    if (piece === '') return
    text += piece
    tail = (tail + piece).slice(-2)
  }
  const markup = /<[!?/a-z]/gi
  let address = ''
  let at = 0
  while (at < source.length) {
    // A lone `<` is a character.
    markup.lastIndex = at
    const open = markup.exec(source)?.index ?? -1
    add(wordsOf(source.slice(at, open < 0 ? undefined : open)))
    if (open < 0) break
    if (source.startsWith('<!--', open)) {
      at = after(source, '-->', open)
      continue
    }
    const end = after(source, '>', open)
    const tag = source.slice(open, end)
    const [, slash, given] = tagName.exec(tag) ?? []
    const name = (given ?? '').toLowerCase()
    at = end
    if (slash === '' && isSilent(name, tag)) {
      at = after(source, '>', after(source, `</${given}`, end))
    } else if (name === 'img') {
      if (address !== '') add(wordsOf(attribute(tag, 'alt')))
    } else add(spaceBefore(name, tail))
    if (name === 'a') {
      if (address !== '') add(` <${address}>`)
      address = slash === '' ? wordsOf(attribute(tag, 'href')).trim() : ''
      if (address.startsWith('#')) address = ''
    }
  }
  return text
    .replace(/ {2,}/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const isSilent = (name: string, tag: string) =>
  silent.test(name) || (tag.length >= '<a hidden>'.length && hidden.test(tag) && !/^(?:img|input|br|hr)$/.test(name))

/** The white space in place of a tag. */
function spaceBefore(name: string, tail: string): string {
  if (paragraphs.test(name)) return '\n\n'
  if (name === 'br' || (lines.test(name) && !isLineStart(tail))) return '\n'
  return cells.test(name) ? ' ' : ''
}

const isLineStart = (tail: string) => tail.endsWith('\n') || tail === '\n '

/** Where the text after the next `part` begins; the end of the source without one. */
function after(source: string, part: string, from: number): number {
  const at = source.indexOf(part, from)
  return at < 0 ? source.length : at + part.length
}

const attributes = {
  alt: /\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  href: /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
}

function attribute(tag: string, name: keyof typeof attributes): string {
  const [, double, single, bare] = attributes[name].exec(tag) ?? []
  return double ?? single ?? bare ?? ''
}

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', zwnj: '', zwj: '\u200d' },
  ...{
    ndash: '–',
    mdash: '—',
    hellip: '…',
    bull: '•',
    middot: '·',
    copy: '©',
    reg: '®',
    trade: '™',
    euro: '€',
    pound: '£',
  },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', times: '×', deg: '°' },
}

/** With characters in place of entities; white space is one space, as it is drawn. */
function wordsOf(html: string): string {
  return html
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi, (entity, decimal, hex, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? entity
      const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal)
      if (code === 0 || code > 0x10ffff) return ''
      // An invisible character keeps a written brace or backslash from being read as grammar.
      return /[{\\]/.test(String.fromCodePoint(code))
        ? `${String.fromCodePoint(code)}\u2060`
        : String.fromCodePoint(code)
    })
    .replace(/\s+/g, ' ')
}
