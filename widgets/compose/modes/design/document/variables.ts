import type { Design } from '../../../../../contract/design/design.ts'
import { isVariable, readTemplate } from '../../../../../contract/mail/merge-variables.ts'
import { renderHtml } from '../../../../../mail-design/render-html.ts'

/** Of every contact. */
const common = ['first_name', 'last_name', 'email']

/** Variables of a design with their defaults, then those of every contact. */
export function variablesIn(design: Design): { name: string; fallback: string }[] {
  const found = new Map<string, string>()
  try {
    for (const part of readTemplate(renderHtml(design), () => undefined))
      if (isVariable(part) && !found.get(part.name)) found.set(part.name, part.fallback)
  } catch {
    // A variable in a label is half written: only the common ones are offered.
  }
  for (const name of common) if (!found.has(name)) found.set(name, '')
  return [...found].map(([name, fallback]) => ({ name, fallback }))
}
