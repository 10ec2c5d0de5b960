import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { AccountStore } from '../../store/accounts/account.ts'

/** Result of a confirmation link; with `userId` an expired one can request a new mail. */
export type ConfirmationOutcome = { outcome: 'confirmed' | 'expired'; userId: string } | { outcome: 'unknown' }

/** Confirms the address of a mailed token. It does not sign in. */
export function createConfirmEmail({ accounts }: { accounts: Pick<AccountStore, 'confirm'> }) {
  return async (token: string): Promise<ConfirmationOutcome> => {
    const found = isToken('confirmation', token) ? await accounts.confirm(hashToken(token)) : null
    return found ?? { outcome: 'unknown' }
  }
}
