import { describe, expect, it } from 'vitest'
import type { Inline } from '../../../../../contract/design/design.ts'
import { plainWords, readVariables, wordsOf } from './words.ts'

const content: Inline[] = [
  { text: 'Dear ' },
  { variable: 'first_name', fallback: 'friend', marks: { b: true } },
  { break: true },
  { text: 'hello', marks: { i: true } },
]

describe('words', () => {
  it('are read with the default of a variable, else with its name', () => {
    expect(plainWords(content)).toBe('Dear friend hello')
    expect(plainWords([{ variable: 'plan', fallback: '' }])).toBe('plan')
  })

  it('that are typed as a variable become one, with its default and the formatting around it', () => {
    expect(readVariables([{ text: 'a {{plan | default: "free"}} b {{ x }}', marks: { b: true } }])).toEqual([
      { text: 'a ', marks: { b: true } },
      { variable: 'plan', fallback: 'free', marks: { b: true } },
      { text: ' b ', marks: { b: true } },
      { variable: 'x', fallback: '', marks: { b: true } },
    ])
    expect(readVariables([{ text: 'half {{plan' }])).toEqual([{ text: 'half {{plan' }])
  })

  it('name a table by the texts in it', () => {
    const cell = (id: string, text: string) => ({
      blocks: [{ id, type: 'heading' as const, level: 2 as const, content: [{ text }] }],
    })
    expect(wordsOf({ id: 't', type: 'table', rows: [{ cells: [cell('a', 'One'), cell('b', 'Two')] }] })).toBe(
      'One · Two',
    )
  })
})
