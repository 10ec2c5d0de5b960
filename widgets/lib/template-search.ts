import type { TemplateRecord } from './template-record.ts'

/** What of a template is searched: subject, the text of its body, tags; name and key beside. */
type Searched = Pick<TemplateRecord, 'name' | 'subject' | 'body' | 'context' | 'key' | 'category'>

/** A search over many templates. */
export interface TemplateSearch<Row> {
  /** The rows in their order that hold every word of the query; all of them for an empty one. */
  find(rows: readonly Row[], query: string): readonly Row[]
  /** Reads rows ahead, for at most `budgetMs`; gives whether all have been read. */
  prepare(rows: readonly Row[], budgetMs: number): boolean
}

/**
 * Makes a search. Each row is read once, and a query that goes on from the one before looks through what that one found,
 * so that a keystroke stays fast with thousands of rows.
 */
export function createTemplateSearch<Row extends Searched>(): TemplateSearch<Row> {
  const texts = new WeakMap<Row, string>()
  let last: { rows: readonly Row[]; query: string; found: readonly Row[] } | null = null

  function textOf(row: Row): string {
    let text = texts.get(row)
    if (text === undefined) {
      const parts = [row.subject, row.name, row.key, row.category, ...row.context, textOfHtml(row.body)]
      text = parts.join('\n').toLowerCase()
      texts.set(row, text)
    }
    return text
  }

  return {
    find(rows, query) {
      const wanted = query.trim().toLowerCase()
      if (wanted === '') return rows
      const isNarrower = last?.rows === rows && wanted.startsWith(last.query)
      const words = wanted.split(/\s+/)
      const found = (isNarrower && last !== null ? last.found : rows).filter((row) => {
        const text = textOf(row)
        return words.every((word) => text.includes(word))
      })
      last = { rows, query: wanted, found }
      return found
    },
    prepare(rows, budgetMs) {
      const endAt = performance.now() + budgetMs
      for (const row of rows) {
        if (texts.has(row)) continue
        if (performance.now() > endAt) return false
        textOf(row)
      }
      return true
    },
  }
}

/**
 * The approximate visible text of HTML: good enough for search and for a line below a name, never to be shown as HTML. Keeps
 * white space. One pass without patterns: thousands of bodies are read between two keystrokes.
 */
export function textOfHtml(html: string): string {
  let text = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    text += `${html.slice(at, open)} `
    at = endOfTag(html, open)
  }
  text += html.slice(at)
  if (text.includes('&')) text = text.replace(/&(?:#\d+|\w+);/g, (entity) => entities[entity] ?? ' ')
  return text
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Elements with invisible text: their start and end. */
const unread = ['style', 'script', 'title'].map((name) => ({ name, end: new RegExp(`</${name}[^>]*>?`, 'gi') }))

/** Where the text goes on after what begins at `open`: a tag, a comment, or an element that is left out whole. */
function endOfTag(html: string, open: number): number {
  const isComment = html.startsWith('<!--', open)
  const close = isComment ? '-->' : '>'
  if (!isComment && 'stST'.includes(html[open + 1] ?? '')) {
    const start = html.slice(open + 1, open + 7).toLowerCase()
    const found = unread.find(({ name }) => start.startsWith(name))
    if (found !== undefined) {
      found.end.lastIndex = open
      return found.end.test(html) ? found.end.lastIndex : html.length
    }
  }
  const at = html.indexOf(close, open)
  return at < 0 ? html.length : at + close.length
}
