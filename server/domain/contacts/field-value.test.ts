import { describe, expect, it } from 'vitest'
import { fitsContact, readFieldValue } from './field-value.ts'

const field = (type: 'text' | 'number' | 'date' | 'boolean' | 'choice', choices: string[] = []) => ({ type, choices })

describe('the value of a field', () => {
  it('FIELDS-11 is trimmed and in Unicode form NFC', () => {
    expect(readFieldValue(field('text'), ' Cafe\u0301 ')).toEqual({ ok: true, value: 'Café' })
    expect(readFieldValue(field('text'), '  ')).toEqual({ ok: true, value: null })
    expect(readFieldValue(field('text'), 'a\0b\uD800')).toEqual({ ok: true, value: 'ab\uFFFD' })
  })

  it.each([
    ['number', '12', 'number'],
    ['number', Infinity, 'number'],
    ['date', '2026-02-31', 'date'],
    ['date', '1.2.2026', 'date'],
    ['boolean', 'yes', 'boolean'],
    ['choice', 'blue', 'choice'],
    ['text', 5, 'text'],
    ['text', 'x'.repeat(10_001), 'too_long'],
  ] as const)('of type %s refuses %s', (type, value, problem) => {
    expect(readFieldValue(field(type, ['red']), value)).toEqual({ ok: false, problem })
  })

  it('has up to 10,000 characters, of texts and choices', () => {
    const text = 'x'.repeat(10_000)
    expect(readFieldValue(field('text'), text)).toEqual({ ok: true, value: text })
    expect(readFieldValue(field('choice', [text]), text)).toEqual({ ok: true, value: text })
  })

  it('has room within 64 kB of its contact', () => {
    // 65,536 bytes and one more, of letters of one, two and three bytes.
    for (const text of ['x'.repeat(65_536), 'é'.repeat(32_768), `${'€'.repeat(21_845)}x`]) {
      expect(fitsContact(text)).toBe(true)
      expect(fitsContact(`${text}x`)).toBe(false)
    }
    expect(fitsContact(JSON.stringify({ 1: 'x'.repeat(10_000) }))).toBe(true)
    expect(fitsContact(JSON.stringify(Array.from({ length: 7 }, () => 'x'.repeat(10_000))))).toBe(false)
  })
})
