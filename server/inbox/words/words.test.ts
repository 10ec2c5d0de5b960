import { describe, expect, it } from 'vitest'
import { isAutoSubject } from '../auto-reply.ts'
import { returnSentences } from '../../../tests/support/return-sentences.ts'
import { languages } from './languages.ts'
import { findReturnDate } from './return-date.ts'
import { isUnsubscribeRequest } from './unsubscribe-words.ts'

const receivedAt = new Date('2026-08-24T10:00:00Z')

describe('days of return', () => {
  it.each([
    'I will be back on 8 September.',
    'I am out of the office until Monday, September 8th.',
    'Ich bin ab dem 08.09. wieder im Büro.',
    'Ich bin bis einschließlich 8. September abwesend.',
    'Je serai de retour le 8 septembre 2026.',
    'Absent du 24 août au 8 septembre inclus.',
    'Estaré fuera hasta el 8 de septiembre.',
    'Rientrerò l’8 settembre, assente fino all’8 settembre.',
    'Estarei de férias até 8 de setembro.',
    'Ik ben terug op 8 september.',
    'Wracam 8 września.',
    'Jag är tillbaka den 8 september.',
    'Jeg er tilbage d. 8. september.',
    'Palaan töihin 8.9.',
    'Vrátím se 8. září.',
    'The meeting is on 20 October. I am back on 8 September.',
  ])('%s', (text) => {
    expect(findReturnDate(text, receivedAt)).toBe('2026-09-08')
  })

  it.each(Object.entries(returnSentences))(
    'are right in 95 %% of 20 sentences of each language: %s',
    (_code, sentences) => {
      expect(sentences).toHaveLength(20)
      const wrong = sentences.filter(([sentence, day]) => findReturnDate(sentence, receivedAt) !== day)
      expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(1)
    },
  )

  it('REPLIES-10 a date over 180 days ahead is left out', () => {
    expect(findReturnDate('I am back on 8 September 2027.', receivedAt)).toBeNull()
  })

  it('REPLIES-10 the last day that counts is 180 days after the day of arrival, the first one the day before', () => {
    expect(findReturnDate('I am back on 20 February 2027.', receivedAt)).toBe('2027-02-20')
    expect(findReturnDate('I am back on 21 February 2027.', receivedAt)).toBeNull()
    expect(findReturnDate('I am back on 23 August 2026.', receivedAt)).toBe('2026-08-23')
    expect(findReturnDate('I am back on 22 August 2026.', receivedAt)).toBeNull()
  })
})

describe('words of twelve languages', () => {
  it('REPLIES-09 an out-of-office mail is recognised by its subject in each of the twelve languages', () => {
    expect(languages).toHaveLength(12)
    for (const { autoSubjects } of languages) expect(isAutoSubject(`${autoSubjects[0]!}: Opening night`)).toBe(true)
    expect(isAutoSubject('Re: your stay on holiday')).toBe(false)
  })

  it('REPLIES-26 a text that is only an unsubscribe word is a request in any of the twelve languages', () => {
    for (const { unsubscribe } of languages) expect(isUnsubscribeRequest(`${unsubscribe[0]!}!`)).toBe(true)
  })

  it('REPLIES-27 a text with more than the unsubscribe word is none', () => {
    expect(isUnsubscribeRequest('Stop by tomorrow, we unsubscribe from nothing')).toBe(false)
  })
})
