import { parseTemplate, type MergeVariable } from '../contract/mail/merge-variables.ts'

/** Escapes text for HTML and for the merge grammar: it is shown as it is, in text and in quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"'{}\\]/g, (found) => `&#${found.charCodeAt(0)};`)
}

/** A merge variable in the merge grammar. In an attribute the quotes differ from those of the attribute if possible. */
export function variableTag({ name, fallback }: MergeVariable, place: 'text' | 'attribute'): string {
  if (fallback === '') return `{{${name}}}`
  const preferred = place === 'attribute' ? "'" : '"'
  const other = place === 'attribute' ? '"' : "'"
  const quote = fallback.includes(preferred) ? other : preferred
  return `{{${name} | default: ${quote}${fallback}${quote}}}`
}

/** A value in merge grammar, escaped for HTML; its variables stay variables. */
export function escapeTemplate(template: string, place: 'text' | 'attribute'): string {
  let escaped = ''
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') escaped += escapeText(part)
    else if (!('mark' in part)) escaped += variableTag(part, place)
  }
  return escaped
}

/** Text for a plain-text template. */
export function escapePlain(text: string): string {
  return text.replaceAll('{{', '\\{{')
}
