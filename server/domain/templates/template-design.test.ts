import { expect, it } from 'vitest'
import { sampleDesign, sampleRow, textBlock } from '../../../tests/support/design-samples.ts'
import { renderDesign } from './template-design.ts'

it('a design renders to 1,048,576 bytes at most', () => {
  // A sign “<” takes one byte of the design and five of its HTML.
  const htmlOf = (signs: number, letters: number) =>
    renderDesign(
      sampleDesign([sampleRow([textBlock('a', '<'.repeat(signs)), textBlock('b', 'x'.repeat(letters))])]),
      undefined,
    ).body
  const signs = 200_000
  const letters = 1_048_576 - Buffer.byteLength(htmlOf(signs, 0))
  expect(Buffer.byteLength(htmlOf(signs, letters))).toBe(1_048_576)
  expect(() => htmlOf(signs, letters + 1)).toThrow(expect.objectContaining({ code: 'design_invalid' }) as Error)
})
