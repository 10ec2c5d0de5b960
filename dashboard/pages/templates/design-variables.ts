import { MergeSyntaxError, parseTemplate, variablesOf } from '../../../contract/merge-variables.ts'
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

/** Compares what a design uses with its tags. A field that cannot be read counts as using nothing. */
export function designVariables({
  subject,
  body,
  tags,
}: Readonly<Omit<Design, 'tags'>> & { tags: readonly string[] }): DesignVariables {
  const used = new Set<string>()
  let problem: DesignVariables['problem'] = null
  for (const [field, text] of [
    ['subject', subject],
    ['body', body],
  ] as const) {
    try {
      for (const name of variablesOf(parseTemplate(text))) used.add(name)
    } catch (error) {
      if (!(error instanceof MergeSyntaxError)) throw error
      problem ??= { field, text: error.message }
    }
  }
  return {
    tagged: tags.filter((tag) => used.has(tag)),
    untagged: [...used].filter((name) => !tags.includes(name)),
    unused: problem === null ? tags.filter((tag) => !used.has(tag)) : [],
    problem,
  }
}
