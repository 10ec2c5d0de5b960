import { describe, expect, it } from 'vitest'
import { addressProblems } from '../../contract/core/address.ts'
import { errors } from '../../contract/core/errors.ts'
import { commonErrors } from '../../contract/core/operation.ts'
import { operations } from '../../contract/core/operations.ts'
import { words as arabicSentences } from '../../loader/sentences-ar.ts'
import { words as spanishSentences } from '../../loader/sentences-es.ts'
import { words as arabicWords } from '../../loader/words-ar.ts'
import { words as spanishWords } from '../../loader/words-es.ts'
import { mailboxSentences } from '../../server/domain/smtp/mailbox-messages.ts'
import { ownWords } from '../support/own-words.ts'

const spanish = { ...spanishWords, ...spanishSentences }
const arabic = { ...arabicWords, ...arabicSentences }

/** Only the dashboard shows these. */
const ofDashboard =
  /(campaign-dialog|campaign-schedule|campaign-terms|limits-dialog|notices)\.tsx: |^widgets\/lib\/template-messages\.ts: (Error occurred updating|Error occured saving|Failed to copy|Please enter|Are you sure|Template (saved|duplicated)|The template could not be (deleted|brought)|HTML copied)|campaign-messages\.ts: |: Cancel(led| campaign| it)$|: Keep it$|^widgets\/compose\/(progress|delivery-actions)\.tsx: (Starts|will get nothing|See the list|Open the campaign|Show in last sends)|a new secret key|New (secret )?key( for)?$|Copy key$|gets another secret key|Limits( of)?$|The limits of|nothing for what is known of the provider|Sign in with|sign-in at the provider|No app password needed|sandbox inbox|sandbox on|mailbox of its own|, nowhere else|: Use$|: · key$|key of/
/** What nobody translates: codes, examples, and mail that is sent. */
const ofNobody =
  /: (HTML|STARTTLS|TLS|myaccount\.google\.com.*|ADD\+|HTTP.*)$|This mail came from|^loader\/session\.ts: No answer in time|A test from your own mailbox/

describe.each([
  ['Spanish', spanish],
  ['Arabic', arabic],
])('%s', (_language, words) => {
  const known = new Set(Object.keys(words))

  it('has a word for every sentence that a widget shows in an embed', async () => {
    const missing = (await ownWords())
      .filter(({ text, whole }) => ![text, `${text} {}`, whole].some((one) => known.has(one)))
      .map(({ text, file }) => `${file}: ${text}`)
      .filter((place) => !ofDashboard.test(place) && !ofNobody.test(place))
    expect(missing).toEqual([])
  })

  it('has a word for every reason why an entry is no address', () => {
    expect(Object.values(addressProblems).filter((text) => !known.has(text))).toEqual([])
  })

  it('has a word for every error that a call from a page can be answered with', () => {
    const calls = operations.filter(({ name, embed }) => embed !== undefined || name === 'exchangeEmbedCode')
    const codes = new Set(calls.flatMap((call) => [...call.errors, ...commonErrors(call)]))
    expect(codes.size).toBeGreaterThan(30)
    expect([...codes].filter((code) => !known.has(errors[code].sentence))).toEqual([])
  })

  it('has a word for every reason why a mailbox cannot be used', () => {
    expect(Object.values(mailboxSentences).filter((text) => !known.has(text))).toEqual([])
  })

  it('puts in as much as the English does', () => {
    const count = (text: string) => text.split('{}').length
    expect(Object.entries(words).filter(([text, said]) => count(text) !== count(said))).toEqual([])
  })
})

it('both languages know the same sentences', () => {
  expect(Object.keys(spanish).sort()).toEqual(Object.keys(arabic).sort())
})
