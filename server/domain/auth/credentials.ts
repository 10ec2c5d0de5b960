import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import type { ValidationItem } from '../../../contract/core/errors.ts'
import { passwordMaxBytes } from '../../../contract/account/account.limits.ts'

/** Reads the email address of a body: the key under which it is one address, or what is wrong with it. */
export function readEmail(text: string): { ok: true; email: string } | { ok: false; item: ValidationItem } {
  const parsed = parseAddress(text)
  if (parsed.ok) return { ok: true, email: parsed.key }
  const msg = `email ${addressProblems[parsed.problem]}`
  return { ok: false, item: { loc: ['body', 'email'], msg, type: `address_${parsed.problem}` } }
}

/** What is wrong with a password before it is hashed; null for nothing. `field` is its name in the body. */
export function passwordProblem(password: string, field = 'password'): ValidationItem | null {
  if (Buffer.byteLength(password) <= passwordMaxBytes) return null
  const msg = `${field} is too long; use at most ${passwordMaxBytes} bytes`
  return { loc: ['body', field], msg, type: 'too_long' }
}
