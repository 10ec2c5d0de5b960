import { describe, expect, it } from 'vitest'
import { createCsvReader } from '../../../contract/audience/imports/csv.ts'
import { createRowReader, csvLimits, inferColumns, suggestTargets } from './mapping.ts'

const suggest = (headers: string[]) => suggestTargets(headers, [], inferColumns([], headers.length), [])

describe('the label of a suggested field', () => {
  it('has up to 190 characters of the column’s name, and a capital letter', () => {
    const labelOf = (header: string) => suggest([header])[0]
    expect(labelOf('N'.repeat(190))).toMatchObject({ label: 'N'.repeat(190) })
    expect(labelOf('N'.repeat(191))).toMatchObject({ label: 'N'.repeat(190) })
    expect(labelOf('member_since')).toMatchObject({ label: 'Member since' })
  })
})

describe('a file', () => {
  const readCsv = (row: string) => createCsvReader(',', csvLimits).read(`${row}\n`)

  it('IMPORT-23 has up to 1,000 columns', () => {
    expect(readCsv(','.repeat(999))[0]?.cells).toHaveLength(1000)
    expect(() => readCsv(','.repeat(1000))).toThrow(expect.objectContaining({ problem: 'too_many_columns' }))
  })

  it('IMPORT-24 has cells of up to 65,536 characters', () => {
    expect(readCsv('x'.repeat(65_536))[0]?.cells[0]).toHaveLength(65_536)
    expect(() => readCsv('x'.repeat(65_537))).toThrow(expect.objectContaining({ problem: 'cell_too_long' }))
  })
})

describe('a row', () => {
  const read = (targets: Parameters<typeof createRowReader>[0], cells: string[]) =>
    createRowReader(targets, new Map())(2, cells)

  it('has an address with a name before it in a cell of fewer than 1,000 characters', () => {
    const named = (chars: number) => `${'N'.repeat(chars - 18)} <ann@example.com>`
    const email = { kind: 'email' } as const
    expect(named(999)).toHaveLength(999)
    expect(read([email], [named(999)])).toMatchObject({ ok: true, row: { email: 'ann@example.com' } })
    expect(read([email], [named(1000)])).toMatchObject({ ok: false })
  })

  it('names up to 20 lists', () => {
    const names = (count: number) => Array.from({ length: count }, (_, no) => `List ${no + 1}`)
    const targets = [{ kind: 'email' }, { kind: 'list' }] as const
    for (const count of [20, 21])
      expect(read(targets, ['ann@example.com', names(count).join(',')])).toMatchObject({
        ok: true,
        row: { lists: names(20) },
      })
  })
})
