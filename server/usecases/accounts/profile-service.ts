import { AppError } from '../../../contract/core/errors.ts'
import { closedAccountKeptDays } from '../../../contract/account/account.limits.ts'
import type { UserChanges } from '../../../contract/account/profile.ts'
import { accountClosedMail, passwordChangedMail, type MailToAccount } from '../../domain/accounts/account-mail.ts'
import type { Attempts } from '../../domain/limits/attempt.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import { requireHashable } from '../../domain/accounts/password.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import type { AccountStore } from '../../store/accounts/account.ts'
import type { ProfileStore } from '../../store/accounts/profile.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  accounts: Pick<AccountStore, 'findById'>
  profiles: Pick<ProfileStore, 'update' | 'setPassword' | 'close'>
  attempts: Attempts
  passwords: Pick<Passwords, 'hash' | 'verify'>
  mailTo: MailToAccount
  wakeSender: () => void
  noteSecurityEvent: NoteSecurityEvent
}

/** Changes that users make to their own account. */
export function createProfileService(ports: Ports) {
  /** Throws `password_missing`, `password_wrong`, and `too_many_attempts` before the password is checked. */
  const requirePassword = async ({ userId }: SignedInUser, password: string): Promise<void> => {
    const account = await ports.accounts.findById(userId)
    const passwordHash = account?.passwordHash ?? null
    if (passwordHash === null) throw new AppError('password_missing')
    // A stolen session must not allow guessing the password.
    const taken = await ports.attempts.take('password-check', userId)
    if (!taken.ok) throw new AppError('too_many_attempts', { retryAfterMs: taken.retryAfterMs })
    if (!(await ports.passwords.verify(passwordHash, password))) throw new AppError('password_wrong')
    await ports.attempts.clear('password-check', userId)
  }

  return {
    /** Returns the updated user. Throws `validation`. */
    async updateUser(caller: SignedInUser, changes: UserChanges): Promise<SignedInUser> {
      const { first_name: firstName, last_name: lastName, preferences } = changes
      requireName(firstName, 'first_name')
      requireName(lastName, 'last_name')
      const now = await ports.profiles.update(caller.userId, {
        ...(firstName !== undefined && { firstName: firstName.trim() }),
        ...(lastName !== undefined && { lastName: lastName.trim() }),
        ...(preferences && { preferences }),
      })
      return { ...caller, ...now }
    },

    /**
     * Sets a new password; ends all other sessions and reset links, and notifies the owner by mail.
     * Throws `password_wrong`, `password_missing`, `too_many_attempts`, `validation`.
     */
    async changePassword(caller: SignedInUser, input: { currentPassword: string; newPassword: string }): Promise<void> {
      requireHashable(input.currentPassword, 'current_password')
      requireHashable(input.newPassword, 'new_password')
      await requirePassword(caller, input.currentPassword)
      await ports.profiles.setPassword(caller.userId, {
        passwordHash: await ports.passwords.hash(input.newPassword),
        keptSessionId: caller.sessionId,
        mail: passwordChangedMail(ports.mailTo(caller, '/login')),
      })
      ports.noteSecurityEvent('password_changed', { userId: caller.userId })
      ports.wakeSender()
    },

    /**
     * Closes the account: ends sessions, reset links and other credentials; disconnects the mailboxes of workspaces without
     * other members and cancels their pending mail. The rest is kept for 30 days. The owner is notified by mail.
     * Throws `password_wrong`, `password_missing`, `too_many_attempts`, `validation`.
     */
    async closeAccount(caller: SignedInUser, password: string): Promise<void> {
      requireHashable(password, 'password')
      await requirePassword(caller, password)
      await ports.profiles.close(
        caller.userId,
        accountClosedMail({ ...ports.mailTo(caller, '/signup'), keptDays: closedAccountKeptDays }),
      )
      ports.wakeSender()
    },
  }
}

function requireName(name: string | undefined, field: string): void {
  if (name?.trim() !== '') return
  const msg = `${field} is empty; enter a name`
  throw new AppError('validation', { items: [{ loc: ['body', field], msg, type: 'missing' }] })
}
