import { expect, it } from 'vitest'
import { isFresh } from './mailbox-tokens.ts'

it('an access token begins a conversation while more than five minutes of its life are left', () => {
  const tokens = { refreshToken: 'r', accessToken: 'a', expiresAtMs: 1_000_000 }
  expect(isFresh(tokens, 1_000_000 - 300_001)).toBe(true)
  expect(isFresh(tokens, 1_000_000 - 300_000)).toBe(false)
})
