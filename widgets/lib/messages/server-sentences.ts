import { errors } from '../../../contract/core/errors.ts'
import { serverMessages } from '../../../contract/core/server-messages.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import type { Catalogue, Translation } from './messages.ts'

const codes = Object.keys(errors) as (keyof typeof errors)[]
const errorSentences = Object.fromEntries(codes.map((code) => [code, errors[code].sentence]))
const english: Readonly<Record<string, string>> = { ...errorSentences, ...serverMessages, ...mailboxSentences }

/** Key of a sentence of the server: its error code, or its key in `serverMessages` or `mailboxSentences`. */
export type ServerSentenceId = keyof typeof errors | keyof typeof serverMessages | keyof typeof mailboxSentences

/**
 * Translations by their English text, both forms of a plural: an answer has the text only. The build evaluates this
 * (`rollup.config.ts`), so a page does not fetch the keys.
 */
export function byEnglishText(
  sentences: Readonly<Partial<Record<ServerSentenceId, Translation>>>,
  own: Catalogue,
): Catalogue {
  const pairs = Object.entries(sentences).flatMap(([key, translation]) =>
    (english[key] ?? key).split('|').map((text) => [text, translation] as const),
  )
  return { ...Object.fromEntries(pairs), ...own }
}
