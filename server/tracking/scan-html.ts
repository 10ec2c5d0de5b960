import { setImmediate as nextTurn } from 'node:timers/promises'
import { Tokenizer } from 'htmlparser2'

/** The address of a link in HTML. */
export interface FoundLink {
  /** Place of the attribute's value, without quotes. */
  start: number
  end: number
  /** Entities decoded. */
  href: string
  /** Visible text; empty for an image. */
  label: string
}

export interface ScannedHtml {
  /** In the order of the text; those with `data-track="off"` are left out. */
  links: FoundLink[]
  /** Where an image can be added that is shown: before the last `</body>`, else at the end. */
  pixelAt: number
}

const labelMaxChars = 120
/** Elements whose content is not HTML. */
const rawElements = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
])

/** So many characters are read in about 5 ms. */
const turnChars = 250_000

/** Finds the links of an HTML text, broken or not, in linear time. Large texts leave the event loop free in between. */
export async function scanHtml(html: string): Promise<ScannedHtml> {
  const links: FoundLink[] = []
  let tag = ''
  let tagAt = 0
  let attribute = ''
  let href: { start: number; end: number } | null = null
  let isOff = false
  let open: FoundLink | null = null
  let raw: string | null = null
  let bodyEndAt = -1
  /** End of the last complete piece. */
  let safeEnd = 0

  const endTag = (end: number) => {
    if (open && tag === 'a') open = null
    if (href !== null && !isOff) {
      const found = { ...href, href: decodeEntities(html.slice(href.start, href.end)), label: '' }
      links.push(found)
      if (tag === 'a') open = found
    }
    if (rawElements.has(tag)) {
      raw = tag
      safeEnd = tagAt
    } else if (raw === null) safeEnd = end + 1
  }
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase()
        tagAt = start - 1
        href = null
        isOff = false
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase()
      },
      onattribdata(start, end) {
        if (attribute === 'href' && href === null && (tag === 'a' || tag === 'area')) href = { start, end }
        if (attribute === 'data-track') isOff = html.slice(start, end).trim().toLowerCase() === 'off'
      },
      onattribend: () => undefined,
      onattribentity: () => undefined,
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(start, end) {
        const name = html.slice(start, end).toLowerCase()
        if (name === 'a') open = null
        if (raw === name) raw = null
        if (name === 'body' && raw === null) bodyEndAt = html.lastIndexOf('<', start)
        const close = html.indexOf('>', end)
        if (raw === null && close >= 0) safeEnd = close + 1
      },
      ontext(start, end) {
        if (raw !== null) return
        safeEnd = end
        if (open && open.label.length < labelMaxChars) open.label += html.slice(start, end)
      },
      oncomment(_start, end) {
        // An unclosed comment ends with the text.
        if (raw === null && html[end] === '>') safeEnd = end + 1
      },
      ontextentity: () => undefined,
      oncdata: () => undefined,
      ondeclaration: (_start, end) => void (safeEnd = Math.max(safeEnd, end + 1)),
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  )
  for (let at = 0; at < html.length; at += turnChars) {
    if (at > 0) await nextTurn()
    tokenizer.write(html.slice(at, at + turnChars))
  }
  tokenizer.end()
  for (const link of links) link.label = decodeEntities(link.label).replace(/\s+/g, ' ').trim().slice(0, labelMaxChars)
  return { links, pixelAt: bodyEndAt >= 0 ? bodyEndAt : Math.min(safeEnd, html.length) }
}

/** The value of an attribute as a browser reads it. */
function decodeEntities(value: string): string {
  if (!value.includes('&')) return value
  const html = `<a b="${value.replaceAll('"', '&quot;')}">`
  let decoded = ''
  const ignore = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onattribdata: (start, end) => void (decoded += html.slice(start, end)),
      onattribentity: (codePoint) => void (decoded += String.fromCodePoint(codePoint)),
      onattribname: ignore,
      onattribend: ignore,
      onopentagname: ignore,
      onopentagend: ignore,
      onselfclosingtag: ignore,
      onclosetag: ignore,
      ontext: ignore,
      oncomment: ignore,
      ontextentity: ignore,
      oncdata: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return decoded
}
