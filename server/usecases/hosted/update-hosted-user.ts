import { AppError } from '../../../contract/core/errors.ts'
import { hostedSignInRecentMinutes } from '../../../contract/hosted/hosted.limits.ts'
import { passwordProblem, readEmail } from '../../domain/auth/credentials.ts'
import { isTooLarge } from '../../domain/hosted/document-size.ts'
import type { DocumentData, HostedUserCaller, HostedUserRow } from '../../domain/auth/hosted.ts'
import { mergePatch } from '../../domain/hosted/merge-patch.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import type { Attempts } from '../../domain/limits/attempt.ts'
import { takeAll } from '../limits/take-attempts.ts'
import type { HostedUserStore } from '../../store/hosted/hosted-user.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  users: Pick<HostedUserStore, 'update' | 'isTokenRecent' | 'findPasswordHash'>
  passwords: Pick<Passwords, 'hash' | 'verify'>
  attempts: Attempts
  noteSecurityEvent: NoteSecurityEvent
}

/** Changes of a hosted user; `currentPassword` is required if the sign-in is older than 10 minutes. */
interface Change {
  email?: string
  password?: string
  currentPassword?: string
  data?: DocumentData
}

/**
 * Changes the calling hosted user; a new password ends all of their other tokens. A token that was stolen changes neither
 * email nor password: that needs a sign-in within the last 10 minutes or the current password. Throws `validation`,
 * `document_too_large`, `hosted_email_taken`, `not_signed_in`, `hosted_sign_in_not_recent`, `password_wrong`,
 * `too_many_attempts`.
 */
export function createUpdateHostedUser({ users, passwords, attempts, noteSecurityEvent }: Ports) {
  const requireProof = async ({ user, tokenHash }: HostedUserCaller, currentPassword: string | undefined) => {
    if (currentPassword === undefined) {
      if (await users.isTokenRecent(tokenHash, hostedSignInRecentMinutes)) return
      throw new AppError('hosted_sign_in_not_recent')
    }
    await takeAll(attempts, [['hosted-password-check', user.id]])
    if (!(await passwords.verify(await users.findPasswordHash(user.id), currentPassword))) {
      throw new AppError('password_wrong')
    }
    await attempts.clear('hosted-password-check', user.id)
  }

  return async (caller: HostedUserCaller, change: Change): Promise<HostedUserRow> => {
    const read = change.email === undefined ? null : readEmail(change.email)
    const problem = change.password === undefined ? null : passwordProblem(change.password)
    const items = [...(read?.ok === false ? [read.item] : []), ...(problem === null ? [] : [problem])]
    const current =
      change.currentPassword === undefined ? null : passwordProblem(change.currentPassword, 'current_password')
    if (current !== null) items.push(current)
    if (items.length > 0) throw new AppError('validation', { items })
    const isEmailNew = read?.ok === true && read.email !== caller.user.email
    if (isEmailNew || change.password !== undefined) await requireProof(caller, change.currentPassword)
    const { data: patch } = change
    const merge = (known: DocumentData) => {
      const merged = mergePatch(known, patch ?? {})
      if (isTooLarge(merged)) throw new AppError('document_too_large')
      return merged
    }
    const updated = await users.update(
      caller.user.id,
      {
        ...(read?.ok === true && { email: read.email }),
        ...(change.password !== undefined && { passwordHash: await passwords.hash(change.password) }),
        ...(patch !== undefined && { data: merge }),
      },
      caller.tokenHash,
    )
    if (updated === 'taken') throw new AppError('hosted_email_taken')
    if (updated === null) throw new AppError('not_signed_in')
    if (change.password !== undefined) noteSecurityEvent('password_changed', { realm: 'hosted', userId: updated.id })
    return updated
  }
}
