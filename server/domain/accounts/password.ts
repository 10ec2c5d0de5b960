import { AppError } from '../../../contract/core/errors.ts'
import { passwordMaxBytes } from '../../../contract/account/account.limits.ts'

/** Refuses a password that would take too long to hash; `field` is its name in the body. Throws `validation`. */
export function requireHashable(password: string, field: 'password' | 'new_password' | 'current_password'): void {
  if (Buffer.byteLength(password) <= passwordMaxBytes) return
  const msg = `${field} is too long; use at most ${passwordMaxBytes} bytes`
  throw new AppError('validation', { items: [{ loc: ['body', field], msg, type: 'too_long' }] })
}
