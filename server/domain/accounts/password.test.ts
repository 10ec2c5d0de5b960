import { expect, it } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import { passwordProblem } from '../auth/credentials.ts'
import { requireHashable } from './password.ts'

it('a password has up to 1,024 bytes of UTF-8', () => {
  for (const longest of ['x'.repeat(1024), 'é'.repeat(512)]) {
    expect(passwordProblem(longest)).toBeNull()
    expect(passwordProblem(`${longest}x`)?.msg).toBe('password is too long; use at most 1024 bytes')
    expect(() => requireHashable(longest, 'new_password')).not.toThrow()
    expect(() => requireHashable(`${longest}x`, 'new_password')).toThrow(AppError)
  }
})
