import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spliceSource, toBoxText } from './splice.ts'

const lines = fc.array(
  fc.tuple(fc.constantFrom('', '<p>a</p>', 'b', '{{x}}', ' '), fc.constantFrom('\n', '\r\n', '\r')),
  { maxLength: 12 },
)

describe('the source of HTML mode', () => {
  it('HTMLMODE-03 Editing one line in HTML mode leaves the bytes of all other lines as they were', () => {
    fc.assert(
      fc.property(lines, fc.nat(), (pairs, seed) => {
        if (pairs.length === 0) return
        const at = seed % pairs.length
        const source = pairs.map(([text, end], no) => `${no}${text}${end}`).join('')
        const edited = pairs.map(([text], no) => (no === at ? `${no}changed` : `${no}${text}`)).join('\n') + '\n'
        const wanted = pairs.map(([text, end], no) => (no === at ? `${no}changed` : `${no}${text}`) + end).join('')
        expect(spliceSource(source, edited)).toBe(wanted)
      }),
    )
  })

  it('is the same bytes again when nothing was changed, and shows what was typed', () => {
    fc.assert(
      fc.property(lines, fc.string({ unit: fc.constantFrom('a', '\n', '{') }), (pairs, typed) => {
        const source = pairs.flat().join('')
        expect(spliceSource(source, toBoxText(source))).toBe(source)
        expect(toBoxText(spliceSource(source, typed))).toBe(typed)
      }),
    )
  })

  it('gives typed lines the line ends of the source', () => {
    expect(spliceSource('a\r\nb\r\n', 'a\nnew\nb\n')).toBe('a\r\nnew\r\nb\r\n')
    expect(spliceSource('a\nb\r\n', 'a\nnew\nb\n')).toBe('a\nnew\nb\r\n')
  })
})
