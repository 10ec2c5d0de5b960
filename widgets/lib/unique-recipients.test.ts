import { describe, expect, it } from 'vitest'
import { uniqueRecipients } from './unique-recipients.ts'
import { readRecipients } from './recipient-rows.ts'

const read = async (text: string) => (await readRecipients(text)).recipients
const addresses = async (text: string) => uniqueRecipients(await read(text)).map((one) => one.text)

describe('the recipients of a mail', () => {
  it.each([
    ['spellings that differ in case', 'a@example.com, A@Example.COM', ['a@example.com']],
    ['a domain in its two spellings', 'a@bücher.example, a@xn--bcher-kva.example', ['a@bücher.example']],
    ['what is no address', 'front desk\na@example.com', ['a@example.com']],
    ['others between the two', 'a@example.com, b@example.com, a@example.com', ['a@example.com', 'b@example.com']],
  ])('each mailbox once: %s', async (_, text, expected) => {
    expect(await addresses(text)).toEqual(expected)
  })

  it('keep the values of their first row, and add missing ones from later rows', async () => {
    const people = uniqueRecipients(await read('email,name,city\na@example.com,Ada,\na@example.com,Adele,Rome'))
    expect(people.map(({ context }) => context)).toEqual([{ name: 'Ada', city: 'Rome' }])
  })
})
