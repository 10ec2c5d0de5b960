import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRecipients } from './recipients.ts'

const texts = (input: string) => readRecipients(input).map((recipient) => recipient.text)

describe('typed or pasted recipients', () => {
  it.each([
    ['one address', 'a@example.com', ['a@example.com']],
    ['SEND-15 blanks around it', '  a@example.com \t', ['a@example.com']],
    ['SEND-16 nothing', '   ', []],
    [
      'a column',
      'a@example.com\nb@example.com\r\n\r\nc@example.com\n',
      ['a@example.com', 'b@example.com', 'c@example.com'],
    ],
    [
      'a list with commas',
      'a@example.com, b@example.com,c@example.com',
      ['a@example.com', 'b@example.com', 'c@example.com'],
    ],
    ['a list with semicolons', 'a@example.com; b@example.com;', ['a@example.com', 'b@example.com']],
    ['a name before the address', 'Ada North <a@example.com>', ['a@example.com']],
    [
      'names with commas in quotes',
      '"North, Ada" <a@example.com>, Bo <b@example.com>',
      ['a@example.com', 'b@example.com'],
    ],
    [
      'rows of a CSV with a heading',
      'Name,Email\nAda,a@example.com\n"North, Bo",b@example.com',
      ['a@example.com', 'b@example.com'],
    ],
    [
      'columns of a spreadsheet',
      'Ada\ta@example.com\tLondon\nBo\tb@example.com\tParis',
      ['a@example.com', 'b@example.com'],
    ],
    ['SEND-18 an address twice', 'a@example.com\na@example.com', ['a@example.com', 'a@example.com']],
  ])('%s is parsed', (_, input, expected) => {
    expect(texts(input)).toEqual(expected)
    expect(readRecipients(input).every((recipient) => recipient.problem === null)).toBe(true)
  })

  it('SEND-17 an invalid address stays, with a remedy', () => {
    expect(readRecipients('front desk')).toEqual([
      {
        text: 'front desk',
        key: 'front desk',
        problem: 'contains more than an address; remove names, quotes, comments and angle brackets',
      },
    ])
    expect(readRecipients('visitor')[0]?.problem).toBe('has no @; write it as name@example.com')
  })

  it('marks invalid entries of a list, and keeps the rest', () => {
    expect(texts('a@example.com, front desk')).toEqual(['a@example.com', 'front desk'])
    expect(readRecipients('a@example.com, front desk, b@@example.com')).toMatchObject([
      { text: 'a@example.com', problem: null },
      { text: 'front desk' },
      { text: 'b@@example.com' },
    ])
  })

  it('assigns each recipient the values of its own row, with valid variable names', () => {
    const pasted =
      'First Name;E-mail;City;1st visit;VIP\nAda;a@example.com;"London; ""old"" town";2024;\n;b@example.com;;;yes'
    expect(readRecipients(pasted)).toEqual([
      {
        text: 'a@example.com',
        key: 'a@example.com',
        problem: null,
        context: { first_name: 'Ada', city: 'London; "old" town', st_visit: '2024' },
      },
      { text: 'b@example.com', key: 'b@example.com', problem: null, context: { vip: 'yes' } },
    ])
  })

  it('marks a row with an invalid address, and keeps its values', () => {
    expect(readRecipients('email,name\nfront desk,Ada\n,Bo')).toMatchObject([
      { text: 'front desk', context: { name: 'Ada' } },
      { text: 'Bo', problem: 'has no @; write it as name@example.com' },
    ])
  })

  it('loses no address of any list, with any separator', () => {
    const address = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), fc.stringMatching(/^[a-z]{1,8}$/))
    const separator = fc.constantFrom('\n', ', ', ';', '\r\n', ' ,')
    fc.assert(
      fc.property(fc.array(address, { minLength: 1, maxLength: 40 }), separator, (pairs, between) => {
        const list = pairs.map(([name, domain]) => `${name}@${domain}.example`)
        expect(texts(list.join(between))).toEqual(list)
      }),
    )
  })

  it('never throws, on any input, and parses a long list at once', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => Array.isArray(readRecipients(text))))
    const many = Array.from({ length: 10_000 }, (_, at) => `Visitor ${at} <visitor-${at}@example.org>`).join('\n')
    expect(readRecipients(many)).toHaveLength(10_000)
  })
})
