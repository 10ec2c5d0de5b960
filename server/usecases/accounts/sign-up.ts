import { parseAddress, addressProblems } from '../../../contract/core/address.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { acceptedWithAccount, type NewAccount, type NewConfirmation } from '../../domain/accounts/account.ts'
import { alreadyRegisteredMail, type MailToAccount } from '../../domain/accounts/account-mail.ts'
import { networkOf, type Attempts } from '../../domain/limits/attempt.ts'
import { requireHashable } from '../../domain/accounts/password.ts'
import type { AccountStore } from '../../store/accounts/account.ts'
import type { AccountMails } from '../../store/accounts/account-mails.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  accounts: Pick<AccountStore, 'create' | 'findByEmail'>
  attempts: Pick<Attempts, 'take'>
  accountMails: AccountMails
  passwords: Pick<Passwords, 'hash'>
  issueConfirmation: (to: { email: string; firstName: string }) => NewConfirmation
  mailTo: MailToAccount
  newId: () => string
  wakeSender: () => void
}

interface Input {
  firstName: string
  lastName: string
  email: string
  password: string
  referralSource: string | null
  /** Address of the client. */
  address: string
}

/**
 * Creates an account with its workspace and mails the confirmation link. The answer is the same for an address that has an
 * account; its owner gets a mail, a few times an hour at most. Returns the account's id, or null if the account was deleted
 * meanwhile.
 * Throws `validation` and `too_many_attempts`.
 */
export function createSignUp(ports: Ports) {
  return async (input: Input): Promise<{ userId: string | null }> => {
    const email = readEmail(input.email)
    requireHashable(input.password, 'password')
    const attempt = await ports.attempts.take('sign-up-network', networkOf(input.address))
    if (!attempt.ok) throw new AppError('too_many_attempts', { retryAfterMs: attempt.retryAfterMs })
    const passwordHash = await ports.passwords.hash(input.password)
    const account: NewAccount = {
      id: ports.newId(),
      workspaceId: ports.newId(),
      workspaceName: `${input.firstName} ${input.lastName}`,
      email,
      firstName: input.firstName,
      lastName: input.lastName,
      passwordHash,
      referralSource: input.referralSource,
      isConfirmed: false,
      accepted: acceptedWithAccount,
    }
    const isNew = await ports.accounts.create(account, ports.issueConfirmation({ email, firstName: input.firstName }))
    const userId = isNew ? account.id : await remindOwner(ports, email)
    ports.wakeSender()
    return { userId }
  }
}

async function remindOwner(ports: Ports, email: string): Promise<string | null> {
  const owner = await ports.accounts.findByEmail(email)
  if (owner === null) return null
  if (!(await ports.attempts.take('account-mail', email)).ok) return owner.id
  await ports.accountMails.accept(alreadyRegisteredMail(ports.mailTo({ ...owner, email }, '/login')))
  return owner.id
}

function readEmail(text: string): string {
  const parsed = parseAddress(text)
  if (parsed.ok) return parsed.key
  throw new AppError('validation', {
    items: [
      { loc: ['body', 'email'], msg: `email ${addressProblems[parsed.problem]}`, type: `address_${parsed.problem}` },
    ],
  })
}
