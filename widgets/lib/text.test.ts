import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { highlight } from './highlight.ts'
import { maskSecretKey } from './mask.ts'

describe('a masked secret key', () => {
  it('CONFIG-14 LIMITS-02 shows its first 3 characters, followed by dots', () => {
    expect(maskSecretKey('ck_4f9a7c1e5b2d8f60')).toBe('ck_••••••••')
  })

  it.each([null, undefined, ''])('CONFIG-15 is N/A without a key (%s)', (key) => {
    expect(maskSecretKey(key)).toBe('N/A')
  })
})

describe('a highlighted source', () => {
  it('separates tags and merge variables from text', () => {
    expect(highlight('<p>Dear {{name | default: "friend"}},</p>')).toEqual([
      { text: '<p>', kind: 'tag' },
      { text: 'Dear ', kind: 'text' },
      { text: '{{name | default: "friend"}}', kind: 'variable' },
      { text: ',', kind: 'text' },
      { text: '</p>', kind: 'tag' },
    ])
  })

  it('equals the source when its pieces are joined', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '{', '}', 'p', '/', ' ', '\n', '"') }), (source) => {
        expect(
          highlight(source)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(source)
      }),
    )
  })
})
