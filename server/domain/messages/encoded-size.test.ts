import { describe, expect, it } from 'vitest'
import { encodedBytes } from './encoded-size.ts'

/** The bytes beside the three of a last soft break. */
const bytesOf = (text: string) => encodedBytes(text) - 3

describe('the size of a text as quoted-printable', () => {
  it('has a soft break of three bytes behind 75 characters', () => {
    expect(encodedBytes('')).toBe(0)
    expect(bytesOf('a'.repeat(75))).toBe(75)
    expect(bytesOf('a'.repeat(76))).toBe(76 + 3)
    expect(bytesOf('a'.repeat(150))).toBe(150 + 3)
    expect(bytesOf('a'.repeat(151))).toBe(151 + 6)
    expect(bytesOf('='.repeat(25))).toBe(75)
    expect(bytesOf('='.repeat(26))).toBe(78 + 3)
  })

  it.each([
    ['~', 1],
    ['\u007F', 3],
    ['!', 1],
    ['\u001F', 3],
    ['=', 3],
    ['a b', 3],
    ['a ', 4],
    ['a\t', 4],
    ['a\tb', 3],
    ['a\t\n', 6],
    ['a\t\r\n', 6],
    ['a \r', 6],
    ['a\r\nb', 4],
    ['a\rb', 4],
    ['a\nb', 4],
    ['a\n\rb', 6],
    ['\u07FF', 6],
    ['\u0800', 9],
    ['\uD7FF', 9],
    ['😀', 12],
    ['\uE000', 9],
    ['.', 3],
    ['a.', 2],
    ['F', 3],
    ['aF', 2],
  ])('of %j is %i bytes', (text, bytes) => {
    expect(bytesOf(text)).toBe(bytes)
  })

  it('counts a dot as encoded where the line may break before it', () => {
    const dotAt = (column: number) => bytesOf(`${'a'.repeat(column)}.`) - column
    expect(dotAt(73)).toBe(1)
    expect(dotAt(74)).toBe(3 + 3)
  })
})
