import { escapeHtml, fillTemplate, MergeSyntaxError, parseTemplate } from '../../contract/merge-variables.ts'

type Sample = Readonly<Record<string, string>>

/** The body as a recipient of whom nothing is known gets it: with the sample where there is one, else with the defaults. */
export function filledBody({ body, sample }: { body: string; sample: Sample }): string {
  return readable(body, () => fillTemplate(parseTemplate(body), sample, escapeHtml))
}

/** A subject to be looked at, filled likewise; a variable of which neither says anything keeps its place by its name. */
export function filledSubject(subject: string, sample: Sample): string {
  return readable(subject, () => {
    const parts = parseTemplate(subject)
    const named = parts.map((part) =>
      typeof part === 'string' ? part : { ...part, fallback: part.fallback || `{{${part.name}}}` },
    )
    return fillTemplate(named, sample)
  })
}

/** Without a `{{` there is nothing to read, and what cannot be read stays as it is. */
function readable(text: string, fill: () => string): string {
  if (!text.includes('{{')) return text
  try {
    return fill()
  } catch (error) {
    if (error instanceof MergeSyntaxError) return text
    throw error
  }
}
