/** A template as it is edited in the designer. */
export interface Design {
  /** For the owner only; may be empty. */
  name: string
  subject: string
  body: string
  tags: string[]
  /** Whether public template pickers show it; undefined when it was never set. */
  isPublic?: boolean
}

export type DesignerField = 'name' | 'subject' | 'body'

/** Returns an empty design. */
export function emptyDesign(): Design {
  return { name: '', subject: '', body: '', tags: [] }
}

/** Copies a design out of a proxy or a snapshot. */
export function copyDesign({ name, subject, body, tags, isPublic }: Design): Design {
  return { name, subject, body, tags: [...tags], ...(isPublic !== undefined && { isPublic }) }
}

/** Compares two designs by value. */
export const isSameDesign = (one: Design, other: Design) => JSON.stringify(one) === JSON.stringify(other)

/** Returns the required fields that are empty. */
export function missingFields(design: Design): DesignerField[] {
  return (['subject', 'body'] as const).filter((field) => design[field].trim() === '')
}

/** Adds comma-separated tags: trimmed, each once. */
export function withTags(tags: readonly string[], text: string): string[] {
  const added = text.split(',').map((tag) => tag.trim())
  return [...new Set([...tags, ...added])].filter((tag) => tag !== '')
}
