import { isStorable } from '../core/storable-text.ts'
import { MergeSyntaxError, parseTemplate, type MergeContext } from '../../../contract/mail/merge-variables.ts'

/** Something in a mail's texts that cannot be sent. */
export interface MailTextProblem {
  /** Path below the body of a send call: `['subject']`, `['content']`, `['context', name]`. */
  path: string[]
  type: 'merge_syntax' | 'line_break' | 'character'
  /** What is wrong and where, and what to do. */
  sentence: string
}

/** Looks through what a send call brings for what no mail can carry; empty when all is well. */
export function findMailTextProblems(mail: {
  subject: string
  content: string
  context: MergeContext
}): MailTextProblem[] {
  const problems: MailTextProblem[] = []
  if (/[\r\n]/.test(mail.subject)) {
    problems.push({
      path: ['subject'],
      type: 'line_break',
      sentence: 'The subject has a line break; write it on one line.',
    })
  }
  for (const field of ['subject', 'content'] as const) {
    problems.push(...checkCharacters([field], mail[field]), ...checkVariables(field, mail[field]))
  }
  for (const [name, value] of Object.entries(mail.context)) {
    problems.push(...checkCharacters(['context', name], name + String(value)))
  }
  return problems
}

function checkVariables(field: string, text: string): MailTextProblem[] {
  try {
    parseTemplate(text)
    return []
  } catch (error) {
    if (!(error instanceof MergeSyntaxError)) throw error
    return [{ path: [field], type: 'merge_syntax', sentence: error.message }]
  }
}

function checkCharacters(path: string[], text: string): MailTextProblem[] {
  if (isStorable(text)) return []
  const at = text.search(/\0|\p{Cs}/u)
  const found = text[at] === '\0' ? 'a NUL' : 'an unpaired surrogate'
  return [{ path, type: 'character', sentence: `This contains ${found} at character ${at + 1}; remove it.` }]
}
