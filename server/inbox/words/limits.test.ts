import { describe, expect, it } from 'vitest'
import { isAutoSubject } from '../auto-reply.ts'
import { findReturnDate } from './return-date.ts'
import { isUnsubscribeRequest } from './unsubscribe-words.ts'

const blanks = (count: number) => ' '.repeat(count)

it('a request for no more mails has 60 characters at most', () => {
  expect(isUnsubscribeRequest('unsubscribe'.padEnd(60, '!'))).toBe(true)
  expect(isUnsubscribeRequest('unsubscribe'.padEnd(61, '!'))).toBe(false)
})

it('an automatic subject is up to three blanks behind "Re:"', () => {
  expect([3, 4].map((count) => isAutoSubject(`Re:${blanks(count)}Out of office`))).toEqual([true, false])
})

describe('a day of return', () => {
  const find = (text: string) => findReturnDate(text, new Date('2026-08-24T10:00:00Z'))
  const day = '2026-09-08'

  it('is found in the first 8,000 characters', () => {
    const sentence = 'I am back on 2026-09-08'
    const endsAt = (chars: number) => `${'.\n'.repeat(4000).slice(0, chars - sentence.length)}${sentence}`
    expect(find(endsAt(8000))).toBe(day)
    expect(find(endsAt(8001))).toBeNull()
  })

  it('is within 60 characters after the word, or 40 before it', () => {
    const behind = (chars: number) => `Back${blanks(chars - 4)}2026-09-08`
    expect([60, 61].map((chars) => find(behind(chars)))).toEqual([day, null])
    const before = (chars: number) => `On 2026-09-08${blanks(chars - 4)}back`
    expect([40, 41].map((chars) => find(before(chars)))).toEqual([day, null])
  })

  it.each([
    ['back on 08 September', 'back on 008 September'],
    ['back on September 08', 'back on September 008'],
    ['back on 08.09.', 'back on 008.09.'],
    ['back on 08.09.', 'back on 08.009.'],
    ['back on 2026-09-08', 'back on 2026-009-08'],
    ['back on 2026-09-08', 'back on 2026-09-008'],
    ['back 09月08日', 'back 009月08日'],
    ['back 09月08日', 'back 09月008日'],
  ])('has two digits, as its month: %s, not %s', (two, three) => {
    expect([find(two), find(three)]).toEqual([day, null])
  })

  it('is in one of twelve months', () => {
    expect([find('back on 2026-12-01'), find('back on 2026-13-01')]).toEqual(['2026-12-01', null])
  })

  it('is up to three blanks from its month, and the year of an English date up to two behind it', () => {
    expect([3, 4].map((count) => find(`back on 8${blanks(count)}September`))).toEqual([day, null])
    expect([3, 4].map((count) => find(`back on September${blanks(count)}8`))).toEqual([day, null])
    // A day of last year is none; without its year it is the next one.
    expect([2, 3].map((count) => find(`back on September 8,${blanks(count)}2025`))).toEqual([null, day])
  })

  it('ends a range whose dash has up to three blanks on each side', () => {
    const range = (before: number, after: number) =>
      find(`Holiday: 1 September${blanks(before)}–${blanks(after)}8 September`)
    expect([range(3, 3), range(4, 3), range(3, 4)]).toEqual([day, null, null])
  })

  it('is in the sentence of its word: a sentence begins with a word of three letters', () => {
    expect(find('I am back. Xy 8 September')).toBe(day)
    expect(find('I am back. Xyz 8 September')).toBeNull()
  })
})
