import { compile } from 'html-to-text'
import type { TemplatePart } from '../../../contract/mail/merge-variables.ts'
import { literalBytes } from '../../domain/messages/encoded-size.ts'
import { textExtraMaxBytes } from '../../domain/messages/rendered-size.ts'

/**
 * Delimiters of merge variables while the HTML is converted. They are Unicode private-use characters, which the mail's own
 * text cannot use: they are removed from it.
 */
const open = '\uE000'
const close = '\uE001'
/** Sets the borders of conditional parts off from variables. */
const border = '#'
/** A border alone on its line, with the line breaks after it. */
const lineOfMark = /(?<=^|\n)(\uE000#\d+\uE001)\n+/g

/** The parser's time is quadratic in the nesting depth; real mails stay below a hundred levels. */
const openElementsMaxCount = 5000

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    // Hidden text (a preheader) and decoration are left out.
    ...['[hidden]', '[aria-hidden="true"]', '[style*="display:none"]', '[style*="display: none"]'].map((selector) => ({
      selector,
      format: 'skip',
    })),
    ...['head', 'title', 'img'].map((selector) => ({ selector, format: 'skip' })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'table', options: { uppercaseHeaderCells: false } },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
  ],
})

/** Shorter texts never exceed the size limit. */
const surelySmallChars = textExtraMaxBytes / 10

/**
 * The plain-text alternative of an HTML template, with its merge variables. Empty if the HTML has no text. Nested quotes
 * and lists indent each line, so the text may grow far beyond the HTML; such a text is created without layout.
 */
export function textAlternativeOf(html: readonly TemplatePart[]): TemplatePart[] {
  const marked = mark(html)
  if (isDeep(marked)) return plainTextOf(html)
  const text = convert(marked)
  const parts = unmark(text.replaceAll(lineOfMark, '$1'), html)
  return text.length <= surelySmallChars || isWithin(parts, html) ? parts : plainTextOf(html)
}

/** The plain-text alternative without layout, in linear time for any HTML. */
export function plainTextOf(html: readonly TemplatePart[]): TemplatePart[] {
  const parts = unmark(stripTags(mark(html)), html)
  return isWithin(parts, html) ? parts : []
}

/** HTML with placeholders in place of its variables. */
function mark(html: readonly TemplatePart[]): string {
  let at = 0
  return html
    .map((part) => {
      if (typeof part === 'string') return part.replace(/[\uE000\uE001]/g, '')
      return `${open}${'mark' in part ? border : ''}${at++}${close}`
    })
    .join('')
}

/** Checks the size limit that domain/messages/rendered-size.ts assumes. */
function isWithin(text: readonly TemplatePart[], html: readonly TemplatePart[]): boolean {
  return literalBytes(text) <= literalBytes(html) + textExtraMaxBytes
}

function unmark(text: string, html: readonly TemplatePart[]): TemplatePart[] {
  const tags = html.filter((part) => typeof part !== 'string')
  const parts = text.split(/\uE000#?(\d+)\uE001/)
  return withPairedMarks(
    parts.flatMap((part, index): TemplatePart[] => {
      if (index % 2 === 0) return part === '' ? [] : [part]
      const tag = tags[Number(part)]
      return tag ? [tag] : []
    }),
  )
}

/** Without the borders of conditional parts that lost their counterpart, such as in a comment: their text always shows. */
function withPairedMarks(parts: readonly TemplatePart[]): TemplatePart[] {
  const paired: TemplatePart[] = []
  let pending: number[] = []
  const dropPending = () => {
    for (const index of pending) paired[index] = ''
    pending = []
  }
  for (const part of parts) {
    if (typeof part === 'string' || !('mark' in part)) {
      paired.push(part)
      continue
    }
    if (part.mark === 'if') dropPending()
    else if (pending.length === 0 || (part.mark === 'else' && pending.length > 1)) continue
    pending = part.mark === 'end' ? [] : [...pending, paired.length]
    paired.push(part)
  }
  dropPending()
  return paired.filter((part) => part !== '')
}

const voidElements =
  /^(?:area|base|basefont|br|col|embed|frame|hr|img|input|isindex|link|meta|param|source|track|wbr)$/i

function isDeep(html: string): boolean {
  let openCount = 0
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (slash === '/') openCount = Math.max(0, openCount - 1)
    else if (!voidElements.test(name ?? '')) openCount += 1
    if (openCount > openElementsMaxCount) return true
  }
  return false
}

/** For HTML that is too complex to parse: its text and link URLs, one per line, without layout. */
function stripTags(html: string): string {
  let address = ''
  const lines = html
    .replace(/<[^<>]*>/g, (tag) => {
      if (/^<a\s/i.test(tag)) address = addressOf(tag)
      if (address === '' || !/^<\/a\b/i.test(tag)) return '\n'
      const line = `\n<${address}>\n`
      address = ''
      return line
    })
    .split('\n')
  return lines
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
}

/** The URL of a link's opening tag; empty for an anchor in the same mail. */
function addressOf(tag: string): string {
  const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? []
  const address = (double ?? single ?? '').trim().replaceAll('&amp;', '&')
  return address.startsWith('#') ? '' : address
}
