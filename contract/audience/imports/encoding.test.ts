import { describe, expect, it } from 'vitest'
import { detectEncoding } from './encoding.ts'

const text = 'Größe;Straße;Café\nMüller;Köln;naïve\n'
const latin = (value: string) => Buffer.from(value, 'latin1')

describe('the encoding of a file', () => {
  it('is found by its byte order mark', () => {
    expect(detectEncoding(Buffer.from(`\uFEFF${text}`))).toEqual({ encoding: 'utf-8', bomBytes: 3 })
    expect(detectEncoding(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual({ encoding: 'utf-16le', bomBytes: 2 })
    expect(detectEncoding(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())?.encoding).toBe('utf-16be')
  })

  it('is found without one, although the sample ends inside a character', () => {
    expect(detectEncoding(Buffer.from(text))).toEqual({ encoding: 'utf-8', bomBytes: 0 })
    expect(detectEncoding(Buffer.from('Mü').subarray(0, 2))?.encoding).toBe('utf-8')
    expect(detectEncoding(Buffer.from(text, 'utf16le'))?.encoding).toBe('utf-16le')
    expect(detectEncoding(Buffer.from(text, 'utf16le').swap16())?.encoding).toBe('utf-16be')
    expect(detectEncoding(latin(text))?.encoding).toBe('windows-1252')
    expect(detectEncoding(Buffer.concat([latin('Preis 5 '), Buffer.of(0x80), latin(' für Käse')]))?.encoding).toBe(
      'windows-1252',
    )
    // Mac Roman: ü 0x9f, ö 0x9a, ß 0xa7, é 0x8e.
    expect(detectEncoding(Buffer.from('M\x9fller;K\x9aln;Stra\xa7e;Caf\x8e', 'latin1'))?.encoding).toBe('macintosh')
  })

  it('is unknown for binary data', () => {
    expect(detectEncoding(Buffer.from([0x89, 0x50, 0, 0, 0, 0x0d, 0, 0, 1, 0, 0, 0, 3, 0]))).toBeNull()
  })
})
