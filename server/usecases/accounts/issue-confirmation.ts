import { confirmationLifeHours } from '../../../contract/account/account.limits.ts'
import type { NewConfirmation } from '../../domain/accounts/account.ts'
import { confirmationMail, type SystemMailbox } from '../../domain/accounts/account-mail.ts'
import { hashToken } from '../../domain/auth/token.ts'

interface Ports {
  systemMailbox: SystemMailbox
  publicUrl: string
  newId: () => string
  newToken: () => string
  now: () => Date
}

const hourMs = 3_600_000

/** Makes a confirmation token and the mail with its link; the link is built from PUBLIC_URL, never from a request. */
export function createIssueConfirmation(ports: Ports) {
  return ({ email, firstName }: { email: string; firstName: string }): NewConfirmation => {
    const token = ports.newToken()
    const mail = { id: ports.newId(), from: ports.systemMailbox, to: email, firstName }
    return {
      tokenHash: hashToken(token),
      expiresAt: new Date(ports.now().getTime() + confirmationLifeHours * hourMs),
      mail: confirmationMail({
        ...mail,
        link: `${ports.publicUrl}/email_confirm/${token}`,
        lifeHours: confirmationLifeHours,
      }),
    }
  }
}
