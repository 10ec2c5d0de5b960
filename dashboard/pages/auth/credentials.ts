import { passwordMinChars } from '../../../contract/account/account.limits.ts'
import { login as messages } from '../../messages.ts'

/** HTML Standard, valid e-mail address: as in the email field of a browser. */
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** What to do about an email, or null (spec §5). */
export function emailProblem(email: string): string | null {
  if (email === '') return messages.emailRequired
  return emailPattern.test(email) ? null : messages.emailInvalid
}

/** What to do about a password, or null (spec §5). */
export function passwordProblem(password: string): string | null {
  if (password === '') return messages.passwordRequired
  return password.length < passwordMinChars ? messages.passwordShort(passwordMinChars) : null
}
