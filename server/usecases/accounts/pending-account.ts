import { confirmationLifeHours } from '../../../contract/account/account.limits.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { PendingAccountStore } from '../../store/accounts/pending-account.ts'

interface Ports {
  pendingAccounts: Pick<PendingAccountStore, 'add' | 'findUserId'>
  newHandle: () => string
  now: () => Date
}

const hourMs = 3_600_000

/** Lets a browser request another confirmation mail without revealing whether an account exists. */
export interface PendingAccounts {
  /** Makes a random handle (`pa_…`); it works as long as a confirmation link. */
  rememberPendingAccount: (userId: string | null) => Promise<string>
  /** The account of a handle; null where it is unknown, malformed or has expired. */
  findPendingAccount: (handle: string | null) => Promise<string | null>
}

export function createPendingAccounts({ pendingAccounts, newHandle, now }: Ports): PendingAccounts {
  return {
    async rememberPendingAccount(userId) {
      const handle = newHandle()
      const expiresAt = new Date(now().getTime() + confirmationLifeHours * hourMs)
      await pendingAccounts.add({ handleHash: hashToken(handle), userId, expiresAt })
      return handle
    },
    async findPendingAccount(handle) {
      if (handle === null || !isToken('pending_account', handle)) return null
      return pendingAccounts.findUserId(hashToken(handle))
    },
  }
}
