import { confirmationResendsPerHourMaxCount } from '../../../contract/account/account.limits.ts'
import type { NewConfirmation } from '../../domain/accounts/account.ts'
import type { AccountStore } from '../../store/accounts/account.ts'

interface Ports {
  accounts: Pick<AccountStore, 'findById' | 'countConfirmations' | 'addConfirmation'>
  issueConfirmation: (to: { email: string; firstName: string }) => NewConfirmation
  now: () => Date
  wakeSender: () => void
}

const hourMs = 3_600_000

/**
 * Mails a new confirmation link to an unconfirmed account. Sends nothing, with the same answer, for an unknown or confirmed
 * account, or once it has reached its hourly limit.
 */
export function createResendConfirmation(ports: Ports) {
  return async (userId: string | null): Promise<void> => {
    const account = userId === null ? null : await ports.accounts.findById(userId)
    if (account === null || account.isConfirmed) return
    const since = new Date(ports.now().getTime() - hourMs)
    if ((await ports.accounts.countConfirmations(account.id, since)) > confirmationResendsPerHourMaxCount) return
    await ports.accounts.addConfirmation(account.id, ports.issueConfirmation(account))
    ports.wakeSender()
  }
}
