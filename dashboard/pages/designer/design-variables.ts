import { readTemplate, variablesOf } from '../../../contract/mail/merge-variables.ts'
import type { Design } from './design.ts'

/** How the merge variables of a design and its tags go together. */
export interface DesignVariables {
  /** Used and tagged. */
  tagged: string[]
  /** Used in subject or body, and no tag. */
  untagged: string[]
  /** A tag that neither subject nor body uses. */
  unused: string[]
  /** Where a merge variable cannot be read: which field, and what to do about it. */
  problem: { field: 'subject' | 'body'; text: string } | null
}

/** Compares the variables of a design with its tags. An invalid template counts as using none. */
export function designVariables({
  subject,
  body,
  tags,
}: Readonly<Pick<Design, 'subject' | 'body'>> & { tags: readonly string[] }): DesignVariables {
  const problems: DesignVariables['problem'][] = []
  const namesOf = (field: 'subject' | 'body', text: string) =>
    variablesOf(readTemplate(text, ({ message }) => problems.push({ field, text: message })))
  const used = new Set([...namesOf('subject', subject), ...namesOf('body', body)])
  return {
    tagged: tags.filter((tag) => used.has(tag)),
    untagged: [...used].filter((name) => !tags.includes(name)),
    unused: tags.filter((tag) => !used.has(tag)),
    problem: problems[0] ?? null,
  }
}
