import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsvReader, type CsvDelimiter } from '../../contract/audience/imports/csv.ts'
import { readRecipients as readAll, TooManyRowsError } from './recipient-rows.ts'

const readRecipients = async (input: string) => (await readAll(input)).recipients
const texts = async (input: string) => (await readRecipients(input)).map((recipient) => recipient.text)

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
  ])('%s is parsed', async (_, input, expected) => {
    expect(await texts(input)).toEqual(expected)
    expect((await readRecipients(input)).every((recipient) => recipient.problem === null)).toBe(true)
  })

  it('SEND-17 an invalid address stays, with a remedy', async () => {
    expect(await readRecipients('front desk')).toEqual([
      {
        text: 'front desk',
        key: 'front desk',
        problem: 'contains more than an address; remove names, quotes, comments and angle brackets',
      },
    ])
    expect((await readRecipients('visitor'))[0]?.problem).toBe('has no @; write it as name@example.com')
  })

  it('marks invalid entries of a list, and keeps the rest', async () => {
    expect(await texts('a@example.com, front desk')).toEqual(['a@example.com', 'front desk'])
    expect(await readRecipients('a@example.com, front desk, b@@example.com')).toMatchObject([
      { text: 'a@example.com', problem: null },
      { text: 'front desk' },
      { text: 'b@@example.com' },
    ])
  })

  it('assigns each recipient the values of its own row, with valid variable names', async () => {
    const pasted =
      'First Name;E-mail;City;1st visit;VIP\nAda;a@example.com;"London; ""old"" town";2024;\n;b@example.com;;;yes'
    expect(await readRecipients(pasted)).toEqual([
      {
        text: 'a@example.com',
        key: 'a@example.com',
        problem: null,
        context: { first_name: 'Ada', City: 'London; "old" town', st_visit: '2024' },
      },
      { text: 'b@example.com', key: 'b@example.com', problem: null, context: { VIP: 'yes' } },
    ])
  })

  it('marks a row with an invalid address, and keeps its values', async () => {
    expect(await readRecipients('email,name\nfront desk,Ada\n,Bo')).toMatchObject([
      { text: 'front desk', context: { name: 'Ada' } },
      { text: 'Bo', problem: 'has no @; write it as name@example.com' },
    ])
  })

  it('loses no address of any list, with any separator', async () => {
    const address = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), fc.stringMatching(/^[a-z]{1,8}$/))
    const separator = fc.constantFrom('\n', ', ', ';', '\r\n', ' ,')
    await fc.assert(
      fc.asyncProperty(fc.array(address, { minLength: 1, maxLength: 40 }), separator, async (pairs, between) => {
        const list = pairs.map(([name, domain]) => `${name}@${domain}.example`)
        expect(await texts(list.join(between))).toEqual(list)
      }),
    )
  })

  it('never throws, on any input, and parses a long list at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (text) =>
        Array.isArray(await readRecipients(text)),
      ),
    )
    const many = Array.from({ length: 10_000 }, (_, at) => `Visitor ${at} <visitor-${at}@example.org>`).join('\n')
    expect(await readRecipients(many)).toHaveLength(10_000)
  })

  it('AUDIENCE-11 a quoted line break stays inside its cell, and empty rows are counted and are no recipients', async () => {
    const { recipients, emptyCount } = await readAll(
      'email;note\na@example.com;"line one\nline two"\n\n;\nb@example.com;\n',
    )
    expect(recipients.map(({ text, context }) => [text, context])).toEqual([
      ['a@example.com', { note: 'line one\nline two' }],
      ['b@example.com', undefined],
    ])
    expect(emptyCount).toBe(2)
    expect((await readAll('a@example.com\n\n\nb@example.com\n')).emptyCount).toBe(2)
  })

  it('AUDIENCE-10 a column keeps its spelling, in its name too where a variable can have it', async () => {
    const { columns } = await readAll('Vorname,E-Mail,Straße & Nr.,vorname\nAda,a@example.com,Weg 1,Bo\n')
    expect(columns).toEqual([
      { heading: 'Vorname', number: 1, name: 'Vorname', values: ['Ada'] },
      { heading: 'Straße & Nr.', number: 3, name: 'straße_nr.', values: ['Weg 1'] },
      { heading: 'vorname', number: 4, name: 'vorname_2', values: ['Bo'] },
    ])
  })

  it('columns without a header are numbered; a list of addresses has none', async () => {
    const { columns } = await readAll('Ada\ta@example.com\tLondon\nBo\tb@example.com\tParis')
    expect(columns.map(({ name, values }) => [name, values])).toEqual([
      ['column_1', ['Ada', 'Bo']],
      ['column_3', ['London', 'Paris']],
    ])
    expect((await readAll('a@example.com, b@example.com\nc@example.com, d@example.com')).columns).toEqual([])
  })

  it('a quote that never closes is refused in a file with its line; pasted, the text is a list', async () => {
    const text = 'email,name\na@example.com,Ada\nb@example.com,"Bo\n'
    await expect(readAll(text, { isFile: true })).rejects.toMatchObject({ problem: 'quote_unclosed', line: 3 })
    expect(await texts(text)).toContain('a@example.com')
  })

  it('more rows than allowed are refused, in a table and in a list', async () => {
    const rows = Array.from({ length: 4 }, (_, at) => `v${at}@example.org`)
    await expect(readAll(rows.join('\n'), { rowsMaxCount: 3 })).rejects.toBeInstanceOf(TooManyRowsError)
    await expect(readAll(`email,n\n${rows.join(',1\n')}`, { rowsMaxCount: 3 })).rejects.toBeInstanceOf(TooManyRowsError)
    expect((await readAll(`email,n\n${rows.join(',1\n')}`, { rowsMaxCount: 4 })).recipients).toHaveLength(4)
  })

  it('has the cells that an import of the same text has', async () => {
    const cell = fc.constantFrom('x', 'a "quote', ' y ', 'one\ntwo', 'a;b', 'a,b', '')
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 20 }),
        fc.constantFrom<CsvDelimiter>(',', ';', '\t'),
        async (cells, delimiter) => {
          const body = cells.map((one, at) => `v${at}@example.org${delimiter}${quoted(one)}\n`).join('')
          const text = `email${delimiter}value\n${body}`
          const reader = createCsvReader(delimiter, { cellMaxChars: 1000, columnsMaxCount: 10 })
          const rows = [...reader.read(text), ...reader.end()].slice(1)
          const read = await readRecipients(text)
          expect(read.map(({ text, context }) => [text, context?.['value'] ?? ''])).toEqual(
            rows.map(({ cells }) => cells),
          )
        },
      ),
    )
  })
})
