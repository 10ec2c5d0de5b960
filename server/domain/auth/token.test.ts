import { expect, it } from 'vitest'
import { formatToken, isToken, tokenBytes } from './token.ts'

it('a token has 43 characters behind its prefix, which are 32 bytes', () => {
  expect(formatToken('access', Buffer.alloc(tokenBytes))).toBe(`at_${'A'.repeat(43)}`)
  expect([42, 43, 44].map((chars) => isToken('access', `at_${'A'.repeat(chars)}`))).toEqual([false, true, false])
  expect(isToken('access', `ck_${'A'.repeat(43)}`)).toBe(false)
})
