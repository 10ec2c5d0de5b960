import { confirmationLifeHours } from '../../../contract/account/account.limits.ts'
import type { NewConfirmation } from '../../domain/accounts/account.ts'
import { confirmationMail, type MailToAccount } from '../../domain/accounts/account-mail.ts'
import { hashToken } from '../../domain/auth/token.ts'

interface Ports {
  mailTo: MailToAccount
  newToken: () => string
  now: () => Date
}

const hourMs = 3_600_000

/** Makes a confirmation token and the mail with its link. */
export function createIssueConfirmation(ports: Ports) {
  return (account: { email: string; firstName: string }): NewConfirmation => {
    const token = ports.newToken()
    return {
      tokenHash: hashToken(token),
      expiresAt: new Date(ports.now().getTime() + confirmationLifeHours * hourMs),
      mail: confirmationMail({
        ...ports.mailTo(account, `/email_confirm/${token}`),
        lifeHours: confirmationLifeHours,
      }),
    }
  }
}
