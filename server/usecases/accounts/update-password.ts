import { AppError } from '../../../contract/core/errors.ts'
import { passwordChangedMail, type MailToAccount } from '../../domain/accounts/account-mail.ts'
import type { Attempts } from '../../domain/limits/attempt.ts'
import { requireHashable } from '../../domain/accounts/password.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { AccountTokenStore } from '../../store/accounts/account-token.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  accountTokens: Pick<AccountTokenStore, 'isResetLive' | 'useReset'>
  attempts: Pick<Attempts, 'clear'>
  passwords: Pick<Passwords, 'hash'>
  mailTo: MailToAccount
  wakeSender: () => void
  noteSecurityEvent: NoteSecurityEvent
}

/**
 * Sets a new password with a mailed token, which works once. Every session and every other reset link of the account
 * ends, and its owner is notified by mail. Does not sign in. Throws `reset_invalid` and `validation`.
 */
export function createUpdatePassword(ports: Ports) {
  return async (input: { token: string; newPassword: string }): Promise<void> => {
    requireHashable(input.newPassword, 'new_password')
    const tokenHash = hashToken(input.token)
    // Hashing is expensive: check the token first.
    if (!isToken('reset', input.token) || !(await ports.accountTokens.isResetLive(tokenHash))) {
      throw new AppError('reset_invalid')
    }
    const passwordHash = await ports.passwords.hash(input.newPassword)
    const account = await ports.accountTokens.useReset(tokenHash, passwordHash, (owner) =>
      passwordChangedMail(ports.mailTo(owner, '/login')),
    )
    if (account === null) throw new AppError('reset_invalid')
    ports.noteSecurityEvent('password_changed', { userId: account.id })
    ports.wakeSender()
    // The token proves ownership of the address: failed attempts of others no longer lock the account.
    await ports.attempts.clear('sign-in-address', account.email)
  }
}
