import { compile } from 'html-to-text'
import type { TemplatePart } from '../../../contract/mail/merge-variables.ts'
import { literalBytes } from '../../domain/messages/encoded-size.ts'
import { textExtraMaxBytes } from '../../domain/messages/rendered-size.ts'

/**
 * Stand for a variable while the HTML is turned into text. They are of Unicode's private use and mean nothing in a plain
 * text, so those that the mail brings along are dropped from it.
 */
const open = '\uE000'
const close = '\uE001'

/** The parser's time grows with the square of how deep elements stand in each other; real mails stay below a hundred. */
const openElementsMaxCount = 5000

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    // What a reader of the HTML does not see (a preheader) or does not miss (ornament) is no part of its words.
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

/** Shorter texts are never larger than they may be, whatever they hold. */
const surelySmallChars = textExtraMaxBytes / 10

/**
 * The plain-text side of an HTML template, its variables still variables. Empty if the HTML has no words. Quotes and lists
 * indent each of their lines, so that a text may grow far beyond its HTML; one that does is made without layout.
 */
export function textAlternativeOf(html: readonly TemplatePart[]): TemplatePart[] {
  const marked = mark(html)
  if (isDeep(marked)) return plainTextOf(html)
  const text = convert(marked)
  const parts = unmark(text, html)
  return text.length <= surelySmallChars || isWithin(parts, html) ? parts : plainTextOf(html)
}

/** The same without layout, in linear time whatever the HTML is. */
export function plainTextOf(html: readonly TemplatePart[]): TemplatePart[] {
  const parts = unmark(stripTags(mark(html)), html)
  return isWithin(parts, html) ? parts : []
}

/** HTML with marks in place of its variables. */
function mark(html: readonly TemplatePart[]): string {
  let at = 0
  return html
    .map((part) => (typeof part === 'string' ? part.replace(/[\uE000\uE001]/g, '') : `${open}${at++}${close}`))
    .join('')
}

/** What domain/messages/rendered-size.ts counts on. */
function isWithin(text: readonly TemplatePart[], html: readonly TemplatePart[]): boolean {
  return literalBytes(text) <= literalBytes(html) + textExtraMaxBytes
}

function unmark(text: string, html: readonly TemplatePart[]): TemplatePart[] {
  const variables = html.filter((part) => typeof part !== 'string')
  const parts = text.split(/\uE000(\d+)\uE001/)
  return parts.flatMap((part, index): TemplatePart[] => {
    if (index % 2 === 0) return part === '' ? [] : [part]
    const variable = variables[Number(part)]
    return variable ? [variable] : []
  })
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

/** For HTML that no parser should see: its words and the addresses of its links, each in a line, without layout. */
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

/** Where a link's opening tag leads; empty for a place in the same mail. */
function addressOf(tag: string): string {
  const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? []
  const address = (double ?? single ?? '').trim().replaceAll('&amp;', '&')
  return address.startsWith('#') ? '' : address
}
