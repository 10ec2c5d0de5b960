import { expect, it } from 'vitest'
import { isTooLarge } from './document-size.ts'

it('a document has up to 262,144 bytes of JSON', () => {
  // {"a":""} has 8 bytes.
  for (const text of ['x'.repeat(262_136), 'é'.repeat(131_068)]) {
    expect(isTooLarge({ a: text })).toBe(false)
    expect(isTooLarge({ a: `${text}x` })).toBe(true)
  }
})
