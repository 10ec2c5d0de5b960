import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSha256 } from './sha256.ts'

const sumOf = (...pieces: Uint8Array[]) => {
  const sum = createSha256()
  for (const piece of pieces) sum.update(piece)
  return sum.digest()
}
const text = (value: string) => new TextEncoder().encode(value)

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('of the vector %.20s is that of FIPS 180-4', (given, sum) => expect(sumOf(text(given))).toBe(sum))

  it('is the same for every length around a block, and for pieces of any length', () => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = randomBytes(length)
      const expected = createHash('sha256').update(bytes).digest('hex')
      expect(sumOf(bytes), `${length} bytes`).toBe(expected)
      const cut = length % 67
      expect(sumOf(bytes.subarray(0, cut), bytes.subarray(cut)), `${length} bytes in pieces`).toBe(expected)
    }
  })
})
