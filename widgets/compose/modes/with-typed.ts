import type { Design, Inline } from '../../../contract/design/design.ts'
import { isVariable, readTemplate } from '../../../contract/mail/merge-variables.ts'

/** A design with what was typed before the editor that shows it came, as paragraphs at its end. */
export function withTyped(design: Design, text: string): Design {
  const last = design.rows.at(-1)
  const column = last?.columns.at(-1)
  if (text.trim() === '' || !last || !column) return design
  const content = text.split('\n\n').map((part) => ({ type: 'paragraph' as const, content: inlineOf(part) }))
  const blocks = [...column.blocks, { id: newId(design), type: 'text' as const, content }]
  const columns = [...last.columns.slice(0, -1), { ...column, blocks }]
  return { ...design, rows: [...design.rows.slice(0, -1), { ...last, columns }] }
}

function inlineOf(text: string): Inline[] {
  return readTemplate(text, () => undefined).flatMap((part): Inline[] => {
    if (isVariable(part)) return [{ variable: part.name, fallback: part.fallback }]
    if (typeof part !== 'string') return []
    const pieces = part.split('\n').flatMap((line): Inline[] => [{ break: true }, { text: line }])
    return pieces.slice(1).filter((piece) => !('text' in piece && piece.text === ''))
  })
}

function newId({ rows }: Design): string {
  const used = new Set(rows.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks.map(({ id }) => id))))
  let id = 'typed'
  for (let no = 2; used.has(id); no++) id = `typed-${no}`
  return id
}
