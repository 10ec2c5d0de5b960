import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createCsvReader,
  csvDelimiters,
  detectDelimiter,
  detectHeader,
  freeFieldKey,
  readSample,
  type CsvDelimiter,
} from './csv.ts'

const limits = { cellMaxChars: 65_536, columnsMaxCount: 1000 }

function rowsOf(text: string, delimiter: CsvDelimiter = ',', pieceChars = text.length || 1) {
  const reader = createCsvReader(delimiter, limits)
  const rows = []
  for (let at = 0; at < text.length; at += pieceChars) rows.push(...reader.read(text.slice(at, at + pieceChars)))
  return [...rows, ...reader.end()]
}
const cellsOf = (text: string, delimiter?: CsvDelimiter) => rowsOf(text, delimiter).map(({ cells }) => cells)

describe('a CSV reader', () => {
  it('IMPORT-25 keeps a quoted line break, a doubled quote and a quoted delimiter in their cell', () => {
    expect(cellsOf('a,"x\r\ny","say ""hi""","1,5"\nb,,,')).toEqual([
      ['a', 'x\r\ny', 'say "hi"', '1,5'],
      ['b', '', '', ''],
    ])
  })

  it('names the line of each row, counting line breaks inside quotes', () => {
    expect(rowsOf('h\r\n"a\r\nb"\rc\n\nd').map(({ line }) => line)).toEqual([1, 2, 4, 5, 6])
  })

  it('reads LF, CRLF and CR in one file, with or without a last line end', () => {
    expect(cellsOf('a,1\r\nb,2\rc,3\nd,4\n')).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', '4'],
    ])
  })

  it('reports an unclosed quote and a long cell with the line where the cell begins', () => {
    expect(() => rowsOf('a\nb,"c\nd\ne')).toThrow(expect.objectContaining({ problem: 'quote_unclosed', line: 2 }))
    expect(() => rowsOf(`a\nb\n"${'x\n'.repeat(40_000)}"`)).toThrow(
      expect.objectContaining({ problem: 'cell_too_long', line: 3 }),
    )
    expect(() => rowsOf(`a\n${','.repeat(1001)}`)).toThrow(
      expect.objectContaining({ problem: 'too_many_columns', line: 2 }),
    )
  })

  it('gives the same rows for pieces of any length', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"', '\r', '\n'), maxLength: 80 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (csv, pieceChars) => {
        const attempt = (chars: number) => {
          try {
            return rowsOf(csv, ',', chars)
          } catch (error) {
            return String(error)
          }
        }
        expect(attempt(pieceChars)).toEqual(attempt(csv.length || 1))
      }),
      { numRuns: 2000 },
    )
  })

  it('agrees with csv-parse on every well-formed table', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '1', '"', ';', ',', '\n', '\t', '|', '@'), maxLength: 12 })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(table, fc.constantFrom(...csvDelimiters), (rows, delimiter) => {
        const csv = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n')
        expect(cellsOf(csv, delimiter)).toEqual(parse(csv, { delimiter, relax_column_count: true }))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a sample', () => {
  it('has up to 200 rows', () => {
    const sampleOf = (rows: number) => readSample('a@example.org\n'.repeat(rows), ',', limits)
    expect([200, 201].map((rows) => sampleOf(rows).length)).toEqual([200, 200])
  })
})

describe('a field key', () => {
  it('has up to 80 characters of the column’s name', () => {
    const keyOf = (chars: number) => freeFieldKey('n'.repeat(chars), new Set())
    expect([80, 81].map(keyOf)).toEqual(['n'.repeat(80), 'n'.repeat(80)])
  })
})

describe('detection', () => {
  it('finds the delimiter by equal column counts, although cells hold the others', () => {
    expect(detectDelimiter('name;price\nA, B;1,50\nC;2,00\n', limits)).toBe(';')
    expect(detectDelimiter('name\tnote\nA\tx, y\nB\tz\n', limits)).toBe('\t')
    expect(detectDelimiter('a@example.org\nb@example.org\n', limits)).toBe(',')
    expect(detectDelimiter('a|b\nc|d\n', limits)).toBe('|')
  })

  it('finds the header by its names or by a change of type', () => {
    const header = (csv: string) => detectHeader(readSample(csv, ',', limits))
    expect(header('email,city\na@example.org,Ulm\n')).toBe(true)
    expect(header('wer,ort\na@example.org,Ulm\n')).toBe(true)
    expect(header('a@example.org,Ulm\nb@example.org,Bonn\n')).toBe(false)
    expect(header('name,age\nAda,36\n')).toBe(true)
  })
})
