import { escapeHtml, fillTemplate, isVariable, readTemplate } from '../../contract/mail/merge-variables.ts'

type Sample = Readonly<Record<string, string>>

const read = (text: string) => readTemplate(text, () => undefined)

/**
 * The body as a recipient of whom nothing is known gets it: with the sample where there is one, else with the defaults.
 * What cannot be read stays.
 */
export function filledBody({ body, sample }: { body: string; sample: Sample }): string {
  return fillTemplate(read(body), sample, escapeHtml)
}

/** The subject as a recipient of whom nothing is known gets it. */
export function previewSubject(subject: string, sample: Sample): string {
  return fillTemplate(read(subject), sample)
}

/** A subject to be looked at, filled likewise; a variable of which neither says anything keeps its place by its name. */
export function filledSubject(subject: string, sample: Sample): string {
  const named = read(subject).map((part) =>
    isVariable(part) ? { ...part, fallback: part.fallback || `{{${part.name}}}` } : part,
  )
  return fillTemplate(named, sample)
}
