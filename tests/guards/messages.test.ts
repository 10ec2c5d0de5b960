import { describe, expect, it } from 'vitest'
import { addressProblems } from '../../contract/core/address.ts'
import { errors, type ErrorCode } from '../../contract/core/errors.ts'
import { commonErrors } from '../../contract/core/operation.ts'
import { operations } from '../../contract/core/operations.ts'
import { serverMessages } from '../../contract/core/server-messages.ts'
import { mailboxSentences } from '../../contract/mail/mailbox-sentences.ts'
import { messages as arabic } from '../../widgets/lib/messages/messages-ar.ts'
import { messages as spanish } from '../../widgets/lib/messages/messages-es.ts'
import type { Catalogue, Translation } from '../../widgets/lib/messages/messages.ts'
import { sentences as arabicSentences } from '../../widgets/lib/messages/server-sentences-ar.ts'
import { sentences as spanishSentences } from '../../widgets/lib/messages/server-sentences-es.ts'

const textsOf = (translation: Translation) =>
  typeof translation === 'string' ? [translation] : Object.values(translation)
const placeholdersIn = (text: string) => [...new Set(text.match(/\{\w*\}/g))].sort()

// The types ensure that the widgets' own messages are complete: `useMessages` accepts only the keys of the Spanish catalogue.
describe.each<[string, Catalogue]>([
  ['Spanish', { ...spanish, ...spanishSentences }],
  ['Arabic', { ...arabic, ...arabicSentences }],
])('%s', (language, messages) => {
  const known = new Set(Object.keys(messages))

  it('has every reason of an invalid address', () => {
    expect(Object.values(addressProblems).filter((text) => !known.has(text))).toEqual([])
  })

  it('has every error of a call from a page', () => {
    const calls = operations.filter(({ name, embed }) => embed !== undefined || name === 'exchangeEmbedCode')
    // A page cannot turn reading on.
    const owners: readonly ErrorCode[] = [
      'imap_unreachable',
      'imap_refused',
      'reading_needs_consent',
      'imap_not_offered',
    ]
    const codes = new Set(
      calls.flatMap((call) => [...call.errors, ...commonErrors(call)]).filter((code) => !owners.includes(code)),
    )
    expect(codes.size).toBeGreaterThan(30)
    expect([...codes].filter((code) => !known.has(errors[code].sentence))).toEqual([])
  })

  it('has every reason of an unusable mailbox and every message of the server', () => {
    const texts = [...Object.values(mailboxSentences), ...Object.values(serverMessages).flatMap((id) => id.split('|'))]
    expect(texts.filter((text) => !known.has(text))).toEqual([])
  })

  it('has the placeholders of the English text, except a count that its plural form spells out', () => {
    const wrong = Object.entries(messages).filter(([id, translation]) => {
      const expected = placeholdersIn(id)
      const spelled = (text: string) => placeholdersIn(text.includes('{count}') ? text : `${text}{count}`)
      const isPlural = typeof translation !== 'string'
      return textsOf(translation).some(
        (text) => String(isPlural ? spelled(text) : placeholdersIn(text)) !== String(expected),
      )
    })
    expect(wrong).toEqual([])
  })

  it('has only plural categories of the language, and "other" for each plural message', () => {
    const { pluralCategories } = new Intl.PluralRules(language === 'Arabic' ? 'ar' : 'es').resolvedOptions()
    const plurals = Object.values(messages).filter((translation) => typeof translation !== 'string')
    expect(plurals.length).toBeGreaterThan(2)
    const used = plurals.flatMap((forms) => Object.keys(forms))
    expect(used.filter((rule) => !pluralCategories.includes(rule as Intl.LDMLPluralRule))).toEqual([])
    expect(plurals.every((forms) => forms.other !== '')).toBe(true)
  })
})

it('both languages have the same keys', () => {
  expect(Object.keys(spanish).sort()).toEqual(Object.keys(arabic).sort())
  expect(Object.keys(spanishSentences).sort()).toEqual(Object.keys(arabicSentences).sort())
})
