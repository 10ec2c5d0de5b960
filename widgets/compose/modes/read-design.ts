import type { Design } from '../../../contract/design/design.ts'
import { migrateDesign } from '../../../mail-design/migrate.ts'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { renderText } from '../../../mail-design/render-text.ts'
import { validateDesign } from '../../../mail-design/validate.ts'
import type { Draft, Mode } from '../compose-state.ts'

/**
 * The part of a draft that a template's design becomes, in the mode that it was written in; null for a document that this
 * edition, or a composer with these modes, cannot edit. `preheader`: default that of the design.
 */
export function writingOf(document: unknown, preheader: string, modes: readonly Mode[]): Partial<Draft> | null {
  const read = migrateDesign(document)
  if (validateDesign(read).length > 0) return null
  const given = read as Design
  const mode = given.layout === 'letter' ? 'text' : 'design'
  if (!modes.includes(mode)) return null
  const design = { ...given, preheader: '' }
  return { preheader: preheader || given.preheader, mode, design, text: '', messageBody: renderHtml(design) }
}

/** The words of a design, with its variables in braces. */
export const wordsOf = (design: Design): string => renderText(design).trim()
