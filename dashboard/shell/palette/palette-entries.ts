import type { Template } from '../../../contract/mail/template.ts'

/** A target of the palette. */
export interface PaletteEntry {
  id: string
  kind: 'screen' | 'template'
  text: string
  /** Further search text. */
  more: string
  path: string
  /** History state for the screen. */
  state?: unknown
}

const shownMaxCount = 30

/** Screens by where they are, templates by the designer that opens them. */
export function entriesOf(
  screens: readonly { path: string; text: string }[],
  templates: readonly (Pick<Template, 'id' | 'key' | 'name' | 'subject'> & { readonly context: readonly string[] })[],
): PaletteEntry[] {
  return [
    ...screens.map(({ path, text }) => ({ id: path, kind: 'screen' as const, text, more: '', path })),
    ...templates.map(({ id, key, name, subject, context }) => ({
      id,
      kind: 'template' as const,
      text: name || subject || key,
      more: `${subject} ${key} ${context.join(' ')}`,
      path: '/dashboard/create',
      state: { template: { id } },
    })),
  ]
}

/** Entries in which every word of the query occurs, those that begin with it first; without a query, the screens. */
export function findEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const words = query.trim().toLowerCase().split(/\s+/)
  if (words[0] === '') return entries.filter(({ kind }) => kind === 'screen')
  const found = entries.filter(({ text, more }) => {
    const searched = `${text} ${more}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  const start = words.join(' ')
  const rank = ({ kind, text }: PaletteEntry) =>
    (text.toLowerCase().startsWith(start) ? 0 : 2) + (kind === 'screen' ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, shownMaxCount)
}
