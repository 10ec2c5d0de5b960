import { describe, expect, it } from 'vitest'
import { dateStyles } from '../../../contract/audience/imports/csv.ts'
import { inferColumn, readBoolean, readDate, readNumber } from './read-cell.ts'

describe('a cell', () => {
  it('is read as a day in six styles, with or without a time behind it', () => {
    const written = ['2026-03-04', '2026/03/04', '04.03.2026', '04/03/2026', '03/04/2026', '4-3-2026']
    expect(dateStyles.map((style, at) => readDate(written[at] ?? '', style))).toEqual(Array(6).fill('2026-03-04'))
    expect(readDate('2026-03-04T23:59:00Z', 'YYYY-MM-DD')).toBe('2026-03-04')
    expect(readDate('31.02.2026', 'DD.MM.YYYY')).toBeNull()
    expect(readDate('29.02.2028', 'DD.MM.YYYY')).toBe('2028-02-29')
  })

  it('is read as a number in two decimal styles', () => {
    expect(readNumber('1.234,5', '1.234,5')).toBe(1234.5)
    expect(readNumber('1,234.5', '1,234.5')).toBe(1234.5)
    expect(readNumber('1.234,5', '1,234.5')).toBeNull()
    expect(readNumber('12.34', '1.234,5')).toBeNull()
    expect(readNumber('=1+1', '1,234.5')).toBeNull()
    expect(readBoolean('Ja')).toBe(true)
    expect(readBoolean('maybe')).toBeNull()
  })
})

describe('the type of a column', () => {
  it('is a date with every style that fits, so that an ambiguous one can be chosen', () => {
    expect(inferColumn(['04/03/2026', '', '05/06/2026']).alternatives).toEqual([
      { type: 'date', style: 'DD/MM/YYYY' },
      { type: 'date', style: 'MM/DD/YYYY' },
    ])
    expect(inferColumn(['04/03/2026', '13/06/2026']).alternatives).toEqual([{ type: 'date', style: 'DD/MM/YYYY' }])
  })

  it('is a number, ambiguous only where a separator could mean either', () => {
    expect(inferColumn(['36', '41']).alternatives).toEqual([{ type: 'number', style: '1,234.5' }])
    expect(inferColumn(['1.234', '2.345']).alternatives).toHaveLength(2)
    expect(inferColumn(['1.234,50']).reading).toEqual({ type: 'number', style: '1.234,5' })
  })

  it('is text for postal codes, telephone numbers and formulas', () => {
    for (const cells of [['01234', '10115'], ['+49 30 1'], ['=1+1'], [], ['', ' ']])
      expect(inferColumn(cells).reading, cells.join()).toEqual({ type: 'text' })
  })

  it('IMPORT-10 is text where a number has more than 15 digits, and says so', () => {
    expect(inferColumn(['1234567890123456'])).toMatchObject({ reading: { type: 'text' }, isLongNumber: true })
    expect(inferColumn(['123456789012345'])).toMatchObject({ reading: { type: 'number' }, isLongNumber: false })
  })

  it('is a truth value for words of the usual languages', () => {
    expect(inferColumn(['yes', 'No', 'ja', 'NEIN']).reading).toEqual({ type: 'boolean' })
  })
})
