import { describe, expect, it } from 'vitest'
import { readAppPassword } from './app-password.ts'

describe('readAppPassword', () => {
  it('H24 ignores the spaces that Gmail and Yahoo show', () => {
    expect(readAppPassword('gmail', 'abcd efgh\u00a0ijkl mnop ')).toEqual({ ok: true, value: 'abcdefghijklmnop' })
    expect(readAppPassword('yahoo', 'abcd efgh ijkl mnop')).toEqual({ ok: true, value: 'abcdefghijklmnop' })
  })

  it('a space may be part of any other password', () => {
    expect(readAppPassword('other', ' pass word ')).toEqual({ ok: true, value: ' pass word ' })
  })

  it.each(['a\r\nb', 'a\nb', 'a\0b', 'a\tb', 'a\u2028b', 'a\u007fb'])('H24 %j is rejected', (text) => {
    for (const provider of ['gmail', 'other'] as const) {
      expect(readAppPassword(provider, text)).toEqual({ ok: false, problem: 'control' })
    }
  })

  it.each(['', '   '])('CONFIG-06 %j is not an app password', (text) => {
    expect(readAppPassword('gmail', text)).toEqual({ ok: false, problem: 'empty' })
    expect(readAppPassword('other', text)).toEqual({ ok: false, problem: 'empty' })
  })
})
