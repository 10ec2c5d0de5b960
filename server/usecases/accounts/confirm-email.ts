import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { AccountStore } from '../../store/accounts/account.ts'

interface Ports {
  accounts: Pick<AccountStore, 'confirm'>
}

/** What a confirmation link came to; `userId` lets an expired one ask for a new mail. */
export type ConfirmationOutcome = { outcome: 'confirmed' | 'expired'; userId: string } | { outcome: 'unknown' }

/** Confirms the address behind a mailed token. It signs nobody in. */
export function createConfirmEmail(ports: Ports) {
  return async (token: string): Promise<ConfirmationOutcome> => {
    const found = isToken('confirmation', token) ? await ports.accounts.confirm(hashToken(token)) : null
    return found ?? { outcome: 'unknown' }
  }
}
