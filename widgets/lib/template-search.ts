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

/** Roughly what can be read of an HTML text: good enough to search in and for a line below a name, never to be shown as HTML. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<(style|script|title)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<[^>]*>/gi, ' ')
    .replace(/&(?:#8203|zwnj|nbsp|#847|#8199|shy);/gi, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
}
