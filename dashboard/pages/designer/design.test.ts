import { describe, expect, it } from 'vitest'
import { sampleDesign, sampleRow, sampleTheme, textBlock } from '../../../tests/support/design-samples.ts'
import { emptyDesign, isSameDesign } from './design.ts'

describe('a template is unchanged', () => {
  it('if its fields are the same, in whatever order they were written', () => {
    const { document, ...texts } = emptyDesign()
    expect(isSameDesign({ ...texts, document }, emptyDesign())).toBe(true)
    expect(isSameDesign({ ...texts, subject: 'Hello', document }, emptyDesign())).toBe(false)
  })

  it('if its blocks are the same; what is rendered of them does not count', () => {
    const of = (text: string, body: string) => ({
      ...emptyDesign(),
      body,
      document: sampleDesign([sampleRow([textBlock('a', text)])]),
    })
    expect(isSameDesign(of('A', ''), of('A', '<p>A</p>'))).toBe(true)
    expect(isSameDesign(of('A', ''), of('B', ''))).toBe(false)
    expect(isSameDesign(of('A', ''), emptyDesign())).toBe(false)
  })

  it('if its theme and preheader are the same', () => {
    const rows = [sampleRow([textBlock('a', 'A')])]
    const of = (changes: Parameters<typeof sampleDesign>[1]) => ({
      ...emptyDesign(),
      document: sampleDesign(rows, changes),
    })
    expect(isSameDesign(of({}), of({ theme: { ...sampleTheme } }))).toBe(true)
    expect(isSameDesign(of({}), of({ theme: { ...sampleTheme, width: 640 } }))).toBe(false)
    expect(isSameDesign(of({}), of({ preheader: 'Come in' }))).toBe(false)
  })
})
