import { describe, expect, it } from 'vitest'
import { dateStyles, type DateStyle } from '../../../contract/audience/imports/csv.ts'
import { inferColumn, readBoolean, readDate, readNumber } from './read-cell.ts'

describe('a cell', () => {
  it('is read as a day in six styles, with or without a time behind it', () => {
    const written = ['2026-03-04', '2026/03/04', '04.03.2026', '04/03/2026', '03/04/2026', '4-3-2026']
    expect(dateStyles.map((style, at) => readDate(written[at] ?? '', style))).toEqual(Array(6).fill('2026-03-04'))
    expect(readDate('2026-03-04T23:59:00Z', 'YYYY-MM-DD')).toBe('2026-03-04')
    expect(readDate('31.02.2026', 'DD.MM.YYYY')).toBeNull()
    expect(readDate('29.02.2028', 'DD.MM.YYYY')).toBe('2028-02-29')
  })

  it.each<[DateStyle, longest: string, tooLong: readonly string[]]>([
    ['YYYY-MM-DD', '2026-03-04', ['2026-003-04', '2026-03-004', '02026-03-04']],
    ['YYYY/MM/DD', '2026/03/04', ['2026/003/04', '2026/03/004', '02026/03/04']],
    ['DD.MM.YYYY', '04.03.2026', ['004.03.2026', '04.003.2026', '04.03.02026']],
    ['DD/MM/YYYY', '04/03/2026', ['004/03/2026', '04/003/2026', '04/03/02026']],
    ['MM/DD/YYYY', '03/04/2026', ['003/04/2026', '03/004/2026', '03/04/02026']],
    ['DD-MM-YYYY', '04-03-2026', ['004-03-2026', '04-003-2026', '04-03-02026']],
  ])('of the style %s has days and months of two digits, and years of four', (style, longest, tooLong) => {
    expect(readDate(longest, style)).toBe('2026-03-04')
    expect(tooLong.map((text) => readDate(text, style))).toEqual([null, null, null])
  })

  it.each([
    ['T23:59:00.123456789Z', true],
    ['T23:59:00.1234567890Z', false],
    [' 123:59', false],
    [' 9:05', true],
    [' 9:5', false],
    [' 9:05:7', false],
    [' 9:05 PM', true],
    [' 9:05+0130', true],
    [' 9:05+01300', false],
    [' 9:05+01:300', false],
  ])('with “%s” behind the day is read: %s', (time, isRead) => {
    expect(readDate(`2026-03-04${time}`, 'YYYY-MM-DD')).toBe(isRead ? '2026-03-04' : null)
  })

  it('of more than 40 characters is no number', () => {
    expect(readNumber(`0.${'3'.repeat(38)}`, '1,234.5')).toBeCloseTo(1 / 3)
    expect(readNumber(`0.${'3'.repeat(39)}`, '1,234.5')).toBeNull()
  })

  it('of a number has up to three digits before the first group', () => {
    expect(readNumber('123,456', '1,234.5')).toBe(123_456)
    expect(readNumber('1234,567', '1,234.5')).toBeNull()
    expect(readNumber('123.456', '1.234,5')).toBe(123_456)
    expect(readNumber('1234.567', '1.234,5')).toBeNull()
    expect(readNumber('1,2345', '1,234.5')).toBeNull()
    expect(readNumber('1.2345', '1.234,5')).toBeNull()
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
