import { parseAddress } from '../../../contract/core/address.ts'
import { resetLifeMinutes } from '../../../contract/account/account.limits.ts'
import { resetMail, type MailToAccount } from '../../domain/accounts/account-mail.ts'
import { networkOf, type Attempts } from '../../domain/limits/attempt.ts'
import { hashToken } from '../../domain/auth/token.ts'
import type { AccountStore } from '../../store/accounts/account.ts'
import type { AccountTokenStore } from '../../store/accounts/account-token.ts'

interface Ports {
  accounts: Pick<AccountStore, 'findByEmail'>
  accountTokens: Pick<AccountTokenStore, 'addReset'>
  attempts: Pick<Attempts, 'take'>
  mailTo: MailToAccount
  newToken: () => string
  now: () => Date
  rest: (ms: number) => Promise<unknown>
  wakeSender: () => void
}

const minuteMs = 60_000
/** Minimum response time: hides that a known address costs a few more writes than an unknown one. */
const answerAfterMs = 150

/**
 * Mails a password reset link. Sends nothing, with the same answer, for an invalid address, an address without an account,
 * or once the address or the client has reached its hourly limit.
 */
export function createRequestPasswordReset(ports: Ports) {
  async function mail(text: string, address: string): Promise<void> {
    const parsed = parseAddress(text)
    if (!parsed.ok) return
    if (!(await ports.attempts.take('reset-network', networkOf(address))).ok) return
    if (!(await ports.attempts.take('account-mail', parsed.key)).ok) return
    const account = await ports.accounts.findByEmail(parsed.key)
    if (account === null) return
    const token = ports.newToken()
    await ports.accountTokens.addReset(account.id, {
      tokenHash: hashToken(token),
      expiresAt: new Date(ports.now().getTime() + resetLifeMinutes * minuteMs),
      mail: resetMail({ ...ports.mailTo(account, `/forgot_password/${token}`), lifeMinutes: resetLifeMinutes }),
    })
    ports.wakeSender()
  }

  return async (input: { email: string; address: string }): Promise<void> => {
    await Promise.all([mail(input.email, input.address), ports.rest(answerAfterMs)])
  }
}
