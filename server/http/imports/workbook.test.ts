import { beforeEach, describe, expect, it } from 'vitest'
import { importCalls } from '../../../tests/support/import-calls.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'
import { makeWorkbook, workbookFiles, zip } from '../../../tests/support/xlsx.ts'

let user: TestUser
const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})
const { announce, put, upload, importText, values } = importCalls(
  () => server,
  () => user.token,
)

it('IMPORT-03 a CSV file, a TSV file, pasted text and an XLSX file with the same cells give the same contacts', async () => {
  const rows = [
    ['email', 'First name', 'City', 'Age', 'Member since', 'Partner'],
    ['ada@example.org', 'Ada, "Countess"', 'Köln\nPorz', '36', '2024-03-22', 'true'],
    ['bo@example.org', '=1+1', '', '41.5', '2023-12-01', 'false'],
  ]
  const cells = (quote: (cell: string) => string, between: string) =>
    `${rows.map((row) => row.map(quote).join(between)).join('\n')}\n`
  const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const workbook = makeWorkbook(
    rows.map((row, at) =>
      at === 0
        ? row
        : row.map((cell, column) => {
            if (column === 3) return Number(cell)
            if (column === 4) return new Date(cell)
            return column === 5 ? cell === 'true' : cell || null
          }),
    ),
  )
  const found = []
  for (const file of [cells(quoted, ','), cells(quoted, '\t'), cells(quoted, ';'), workbook]) {
    user = await createUser(server)
    const { counts } = await importText(file)
    expect(counts).toMatchObject({ added: 2, refused: 0 })
    found.push(await values())
  }
  expect(found[0]?.[0]).toEqual([
    'ada@example.org',
    { first_name: 'Ada, "Countess"', city: 'Köln\nPorz', age: 36, member_since: '2024-03-22', partner: true },
  ])
  expect(found.slice(1)).toEqual([found[0], found[0], found[0]])
})

describe('a workbook that cannot be read', () => {
  const cannot = 'This workbook cannot be read.'
  const tooLarge = 'This workbook is too large to be read.'
  const sheet = (cell: string) => workbookFiles(`<sheetData><row r="1">${cell}</row></sheetData>`)
  it.each([
    ['a ZIP archive of something else', zip({ 'readme.txt': 'hello' }), cannot],
    ['an archive that ends in the middle', makeWorkbook([['email'], ['a@example.org']]).subarray(0, -40), cannot],
    ['an archive that unpacks to more than it says', zip(sheet('<c r="A1"><v>1</v></c>'), () => 10), cannot],
    ['an archive of more than 256 MiB', zip(sheet('<c r="A1"><v>1</v></c>'), () => 300 * 2 ** 20), tooLarge],
    ['a sheet with more than 1,000 columns', zip(sheet('<c r="ALM1"><v>1</v></c>')), tooLarge],
    ['a sheet with a cell far away', zip(sheet('<c r="ALL1000000"><v>1</v></c>')), tooLarge],
    ['an empty sheet', makeWorkbook([]), 'The first sheet is empty.'],
  ])('such as %s is refused with a sentence', async (_title, file, sentence) => {
    const { id } = (await announce(file)).body as { id: string }
    const answer = await put(id, file, 0)
    expect([answer.status, answer.body.detail[0].msg]).toEqual([422, expect.stringContaining(sentence)])
  })

  it('has not more than 1,000 columns', async () => {
    const { columns } = await upload(zip(sheet('<c r="A1"><v>1</v></c><c r="ALL1"><v>2</v></c>')))
    expect(columns).toHaveLength(1000)
  })

  it('leaves the server able to read the next one', async () => {
    await upload(zip({ 'readme.txt': 'hello' }))
    expect((await upload(makeWorkbook([['email'], ['a@example.org']]))).preview).toEqual([['a@example.org']])
  })
})
