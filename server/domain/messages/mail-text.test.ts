import { describe, expect, it } from 'vitest'
import { findMailTextProblems } from './mail-text.ts'

const mail = (given: { subject?: string; content?: string; context?: Record<string, string> }) => ({
  subject: 'Hi',
  content: '<p>Hi</p>',
  context: {},
  ...given,
})

describe('findMailTextProblems', () => {
  it('finds nothing in a valid mail', () => {
    expect(findMailTextProblems(mail({ subject: 'Hi {{name}} 🎉', context: { name: 'Ann\r\nLee' } }))).toEqual([])
  })

  it('names line and column of an unclosed merge variable', () => {
    expect(findMailTextProblems(mail({ content: '<p>\n  {{name</p>' }))).toMatchObject([
      { path: ['content'], type: 'merge_syntax', sentence: expect.stringContaining('Line 2, column 3') as string },
    ])
  })

  it.each(['a\r\nBcc: e@e.com', 'a\nb', 'a\rb'])('H31 the subject %j is rejected', (subject) => {
    expect(findMailTextProblems(mail({ subject }))).toMatchObject([{ path: ['subject'], type: 'line_break' }])
  })

  it('rejects text that neither a mail nor the database can store', () => {
    for (const text of ['a\0b', 'a\ud800b']) {
      const problems = findMailTextProblems(
        mail({ subject: text, content: text, context: { name: text, [text]: 'x' } }),
      )
      expect(problems.map(({ path, type }) => [path[0], type])).toEqual([
        ['subject', 'character'],
        ['content', 'character'],
        ['context', 'character'],
        ['context', 'character'],
      ])
    }
  })
})
