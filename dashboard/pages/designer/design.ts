import { ref } from 'valtio/vanilla'
import type { Design as DesignDocument } from '../../../contract/design/design.ts'

/** A template as it is edited in the designer. */
export interface Design {
  /** For the owner only; may be empty. */
  name: string
  subject: string
  /** The code; with a document, what was last rendered from it. */
  body: string
  /** Its blocks; null for code. Replaced whole, never changed in place. */
  document: DesignDocument | null
  tags: string[]
  /** Whether public template pickers show it; undefined when it was never set. */
  isPublic?: boolean
}

export type DesignerField = 'name' | 'subject' | 'body'

/** Returns an empty design. */
export function emptyDesign(): Design {
  return { name: '', subject: '', body: '', document: null, tags: [] }
}

/** Copies a design out of a proxy or a snapshot. */
export function copyDesign({ name, subject, body, document, tags, isPublic }: Design): Design {
  return { name, subject, body, document, tags: [...tags], ...(isPublic !== undefined && { isPublic }) }
}

/** A stored document, for a place in a proxy: its parts are not proxies. */
export function documentOf(value: unknown): DesignDocument | null {
  return typeof value === 'object' && value !== null ? ref(value as DesignDocument & object) : null
}

/** Compares two designs by value. What is rendered from a document does not count. */
export function isSameDesign(one: Design, other: Design): boolean {
  const text = (design: Design) =>
    JSON.stringify({ ...copyDesign(design), document: null, body: design.document === null ? design.body : '' })
  return text(one) === text(other) && isSameDocument(one.document, other.document)
}

/** Only the rows that differ as objects are compared by value: a key in a large design changes one. */
function isSameDocument(one: DesignDocument | null, other: DesignDocument | null): boolean {
  if (one === other) return true
  if (one === null || other === null) return false
  const [rows, otherRows] = [rowsOf(one), rowsOf(other)]
  return (
    rows.length === otherRows.length &&
    isSame({ ...one, rows: null }, { ...other, rows: null }) &&
    rows.every((row, at) => isSame(row, otherRows[at]))
  )
}

/** A document of a newer edition may have no rows. */
const rowsOf = ({ rows = [] }: { rows?: readonly unknown[] }) => rows

const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other)

/** Returns the required fields that are empty. */
export function missingFields(design: Design): DesignerField[] {
  const isEmpty = { subject: design.subject.trim() === '', body: design.body.trim() === '' && design.document === null }
  return (['subject', 'body'] as const).filter((field) => isEmpty[field])
}

/** Adds comma-separated tags: trimmed, each once. */
export function withTags(tags: readonly string[], text: string): string[] {
  const added = text.split(',').map((tag) => tag.trim())
  return [...new Set([...tags, ...added])].filter((tag) => tag !== '')
}
