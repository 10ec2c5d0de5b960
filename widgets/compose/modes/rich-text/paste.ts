import DOMPurify, { type Config } from 'dompurify'
import { DOMParser, Fragment, Slice, type Node as EditorNode } from '@tiptap/pm/model'
import { limitDepth } from '../../../lib/limit-depth.ts'
import { readAddress } from './address.ts'
import { inlineOf, paragraphsOf } from './plain.ts'
import { schema } from './schema.ts'

/** Longest paste, in characters of text; a design document holds no more. */
const pasteMaxChars = 200_000
/** Longest HTML of a clipboard that is read; word processors send a lot beside the text. */
const pasteHtmlMaxChars = 4_000_000

/** Elements and attributes that say what a text is; nothing else of a clipboard is read. */
const config: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS:
    'p div br b strong i em u s del strike a span ul ol li h1 h2 h3 h4 h5 h6 blockquote pre table tbody tr td th'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'data-style', 'data-class'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):/i,
  RETURN_DOM_FRAGMENT: true,
}

/** What is on a clipboard. */
interface Pasted {
  slice: Slice
  /** The text is HTML code: an offer to use it as that. */
  code: string | null
}

/** Reads a clipboard; null where it is too long. */
export function readPaste(data: DataTransfer): Pasted | null {
  const text = data.getData('text/plain')
  const html = data.getData('text/html')
  if (text.length > pasteMaxChars || html.length > pasteHtmlMaxChars) return null
  if (/^\s*<(?:!doctype|html|table)\b/i.test(text)) return { slice: sliceOfText(text), code: text }
  if (html.trim() === '') return { slice: sliceOfText(text), code: null }
  const slice = sliceOfHtml(html)
  return { slice: slice.size > 0 ? slice : sliceOfText(text), code: null }
}

function sliceOfText(text: string): Slice {
  const content = Fragment.from(paragraphsOf(text.replace(/\r\n?/g, '\n')))
  return new Slice(content, 1, 1)
}

/** HTML as content of the editor: only text, its formatting, links and lists are left. */
function sliceOfHtml(html: string): Slice {
  // Styles and classes wait under other names: a strict page complains about each style that is read as one.
  const withoutSheets = html.replace(/<style\b[^<>]*>[\s\S]*?(?:<\/style\s*>|$)/gi, '')
  const aside = withoutSheets.replace(/<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi, (tag) =>
    tag.replace(/"[^"]*"|'[^']*'|([\s/])(style|class)(?=\s*=)/gi, (found, before?: string, name?: string) =>
      before === undefined ? found : `${before}data-${name ?? ''}`,
    ),
  )
  const fragment = (DOMPurify.sanitize(aside, config) as DocumentFragment | null) ?? new DocumentFragment()
  const place = document.createElement('div')
  limitDepth(fragment)
  place.append(fragment)
  tidy(place)
  const slice = DOMParser.fromSchema(schema).parseSlice(place, { preserveWhitespace: false })
  return new Slice(withVariables(slice.content), slice.openStart, slice.openEnd)
}

const styleOf = (element: Element) => (element.getAttribute('data-style') ?? '').toLowerCase()

/** Makes the ways of word processors those of HTML: formats in styles, lists as paragraphs with a mark, cells as lines. */
function tidy(place: HTMLElement): void {
  for (const link of place.querySelectorAll('a')) {
    const address = readAddress(link.getAttribute('href') ?? '')
    if (address === null) link.replaceWith(...link.childNodes)
    else link.setAttribute('href', address)
  }
  // Google Docs puts everything into a <b> that is not bold.
  for (const bold of place.querySelectorAll('b, strong'))
    if (/font-weight:\s*(?:normal|400)/.test(styleOf(bold))) bold.replaceWith(...bold.childNodes)
  for (const element of place.querySelectorAll('span')) {
    const style = styleOf(element)
    if (/mso-list:\s*ignore/.test(style)) element.remove()
    else {
      if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) wrapContent(element, 'b')
      if (/font-style:\s*italic/.test(style)) wrapContent(element, 'i')
      if (/text-decoration[^;]*underline/.test(style) && !element.closest('a')) wrapContent(element, 'u')
      if (/text-decoration[^;]*line-through/.test(style)) wrapContent(element, 's')
    }
  }
  // The innermost first: those around them find lines there, and each cell is read once.
  for (const row of [...place.querySelectorAll('tr')].reverse()) {
    const line = document.createElement('p')
    for (const cell of row.querySelectorAll(':scope > td, :scope > th')) {
      if (line.firstChild) line.append(' \u00a0 ')
      line.append(
        ...[...cell.childNodes].flatMap((node) =>
          node instanceof HTMLElement && node.tagName === 'P' ? [...node.childNodes] : [node],
        ),
      )
    }
    row.replaceWith(line)
  }
  for (const paragraph of [...place.querySelectorAll('p')]) joinWordList(paragraph)
}

function wrapContent(element: Element, tag: string): void {
  const wrapper = document.createElement(tag)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}

/** Word writes a list item as a paragraph of the class MsoListParagraph…; neighbours are one list. */
function joinWordList(paragraph: HTMLElement): void {
  const style = styleOf(paragraph)
  if (!/mso-list:\s*l\d/.test(style) && !(paragraph.getAttribute('data-class') ?? '').startsWith('MsoListParagraph'))
    return
  const text = paragraph.textContent.trimStart()
  const isNumbered = /^(?:\d+|[a-z])[.)]/i.test(text)
  const tag = isNumbered ? 'OL' : 'UL'
  const before = paragraph.previousElementSibling
  const list = before?.tagName === tag ? before : document.createElement(tag)
  if (list !== before) paragraph.before(list)
  const entry = document.createElement('li')
  entry.append(...paragraph.childNodes)
  const first = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT).nextNode()
  if (first) first.textContent = (first.textContent ?? '').replace(/^\s*(?:[·•o§-]|\d+[.)]|[a-z][.)])\s+/i, '')
  list.append(entry)
  paragraph.remove()
}

/** `{{name}}` in a text becomes a variable. */
function withVariables(content: Fragment): Fragment {
  const nodes: EditorNode[] = []
  content.forEach((node) => {
    if (node.isText && node.text?.includes('{{') === true)
      nodes.push(...inlineOf(node.text).map((piece) => piece.mark(node.marks)))
    else nodes.push(node.isText ? node : node.copy(withVariables(node.content)))
  })
  return Fragment.from(nodes)
}
