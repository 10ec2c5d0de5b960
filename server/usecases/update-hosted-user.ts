import { AppError } from '../../contract/errors.ts'
import { passwordProblem, readEmail } from '../domain/credentials.ts'
import { isTooLarge } from '../domain/document-size.ts'
import type { DocumentData, HostedUserCaller, HostedUserRow } from '../domain/hosted.ts'
import { mergePatch } from '../domain/merge-patch.ts'

interface Ports {
  users: {
    update: (
      id: string,
      change: { email?: string; passwordHash?: string; data?: (known: DocumentData) => DocumentData },
      keptTokenHash: Buffer,
    ) => Promise<HostedUserRow | 'taken' | null>
  }
  passwords: { hash: (password: string) => Promise<string> }
}

/**
 * Changes the calling hosted user; a new password ends all of their other tokens.
 * Throws `validation`, `document_too_large`, `hosted_email_taken`, `not_signed_in`.
 */
export function createUpdateHostedUser({ users, passwords }: Ports) {
  return async (
    caller: HostedUserCaller,
    change: { email?: string; password?: string; data?: DocumentData },
  ): Promise<HostedUserRow> => {
    const read = change.email === undefined ? null : readEmail(change.email)
    const problem = change.password === undefined ? null : passwordProblem(change.password)
    const items = [...(read?.ok === false ? [read.item] : []), ...(problem === null ? [] : [problem])]
    if (items.length > 0) throw new AppError('validation', { items })
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
    return updated
  }
}
