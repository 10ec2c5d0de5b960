import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  isVariable,
  readTemplate,
  variablesOf,
} from '../../../contract/mail/merge-variables.ts'

/** A message as a recipient gets it; `problem` locates a merge variable with a syntax error, which stays as written. */
export interface Filled {
  subject: string
  preheader: string
  html: string
  /** Names in the order of their first use in subject, preheader and body, each with its fallback. */
  variables: { name: string; fallback: string }[]
  problem: string | null
}

// oxlint-disable-next-line sendwright/module-state -- a cache
let last: { of: readonly unknown[]; gives: Filled } | null = null

/** As `fill`; asked twice for the same message, as the fields and the preview do, it reads it once. */
export function fillMessage(
  subject: string,
  body: string,
  context: Readonly<Record<string, string>>,
  preheader = '',
): Filled {
  const of = [subject, body, JSON.stringify(context), preheader]
  if (last?.of.every((part, at) => part === of[at]) !== true)
    last = { of, gives: fill({ subject, preheader, body }, context) }
  return last.gives
}

/** Fills the texts with the values that would be sent; what has none gives its default, else nothing. */
function fill(
  { subject, preheader, body }: Record<'subject' | 'preheader' | 'body', string>,
  context: Readonly<Record<string, string>>,
): Filled {
  const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''))
  const problems: string[] = []
  const read = (text: string) => readTemplate(text, ({ message }) => problems.push(message))
  const [subjectParts, preheaderParts, bodyParts] = [read(subject), read(preheader), read(body)]
  const parts = [...subjectParts, ...preheaderParts, ...bodyParts]
  const variables = variablesOf(parts).map((name) => ({
    name,
    fallback: parts.find((part) => isVariable(part) && part.name === name && part.fallback !== '') as
      | { fallback: string }
      | undefined,
  }))
  return {
    subject: fillTemplate(subjectParts, given, escapeHeader),
    preheader: fillTemplate(preheaderParts, given, escapeHeader),
    html: fillTemplate(bodyParts, given, escapeHtml),
    variables: variables.map(({ name, fallback }) => ({ name, fallback: fallback?.fallback ?? '' })),
    problem: problems[0] ?? null,
  }
}
