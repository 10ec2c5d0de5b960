import { describe, expect, it } from 'vitest'
import { readAppPassword } from './app-password.ts'

describe('readAppPassword', () => {
  it('H24 the blanks that Gmail and Yahoo show are not part of it', () => {
    expect(readAppPassword('gmail', 'abcd efgh\u00a0ijkl mnop ')).toEqual({ ok: true, value: 'abcdefghijklmnop' })
    expect(readAppPassword('yahoo', 'abcd efgh ijkl mnop')).toEqual({ ok: true, value: 'abcdefghijklmnop' })
  })

  it('a blank may be part of any other password', () => {
    expect(readAppPassword('other', ' pass word ')).toEqual({ ok: true, value: ' pass word ' })
  })

  it.each(['a\r\nb', 'a\nb', 'a\0b', 'a\tb', 'a\u2028b', 'a\u007fb'])('H24 %j is refused', (text) => {
    for (const provider of ['gmail', 'other'] as const) {
      expect(readAppPassword(provider, text)).toEqual({ ok: false, problem: 'control' })
    }
  })

  it.each(['', '   '])('CONFIG-06 %j is no app password', (text) => {
    expect(readAppPassword('gmail', text)).toEqual({ ok: false, problem: 'empty' })
    expect(readAppPassword('other', text)).toEqual({ ok: false, problem: 'empty' })
  })
})
