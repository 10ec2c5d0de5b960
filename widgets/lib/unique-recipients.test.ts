import { describe, expect, it } from 'vitest'
import { uniqueRecipients } from './unique-recipients.ts'
import { readRecipients } from './recipients.ts'

const addresses = (text: string) => uniqueRecipients(readRecipients(text)).map((one) => one.text)

describe('the recipients of a mail', () => {
  it.each([
    ['spellings that differ in case', 'a@example.com, A@Example.COM', ['a@example.com']],
    ['a domain in its two spellings', 'a@bücher.example, a@xn--bcher-kva.example', ['a@bücher.example']],
    ['what is no address', 'front desk\na@example.com', ['a@example.com']],
    ['others between the two', 'a@example.com, b@example.com, a@example.com', ['a@example.com', 'b@example.com']],
  ])('each mailbox once: %s', (_, text, expected) => {
    expect(addresses(text)).toEqual(expected)
  })

  it('keep the values of their first row, and add missing ones from later rows', () => {
    const people = uniqueRecipients(readRecipients('email,name,city\na@example.com,Ada,\na@example.com,Adele,Rome'))
    expect(people.map(({ context }) => context)).toEqual([{ name: 'Ada', city: 'Rome' }])
  })
})
