import { parseAddress, addressProblems } from '../../contract/address.ts'
import { AppError } from '../../contract/errors.ts'
import { acceptableDocuments, documentDates, passwordMaxBytes, trialDays } from '../../contract/limits.ts'
import type { Account, NewAccount, NewConfirmation } from '../domain/account.ts'
import { alreadyRegisteredMail, type SystemMailbox } from '../domain/account-mail.ts'
import type { NewMessage } from '../domain/message.ts'

interface Ports {
  accounts: {
    create: (account: NewAccount, confirmation: NewConfirmation) => Promise<boolean>
    findByEmail: (email: string) => Promise<Account | null>
  }
  messages: { accept: (message: NewMessage) => Promise<boolean> }
  passwords: { hash: (password: string) => Promise<string> }
  issueConfirmation: (to: { email: string; firstName: string }) => NewConfirmation
  systemMailbox: SystemMailbox
  publicUrl: string
  newId: () => string
  now: () => Date
  wakeSender: () => void
}

interface Input {
  firstName: string
  lastName: string
  email: string
  password: string
  referralSource: string | null
}

const dayMs = 86_400_000

/**
 * Makes an account with a workspace of its own and mails the confirmation link. An address that has an account already
 * gets a mail that says so, and the caller learns no difference. Gives the account's id.
 */
export function createSignUp(ports: Ports) {
  return async (input: Input): Promise<{ userId: string }> => {
    const email = readEmail(input.email)
    if (Buffer.byteLength(input.password) > passwordMaxBytes) throw passwordTooLong()
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
      trialEndsAt: new Date(ports.now().getTime() + trialDays * dayMs),
      isConfirmed: false,
      // The form says that signing up accepts them.
      accepted: acceptableDocuments.map((document) => ({ document, documentDate: documentDates[document] })),
    }
    const isNew = await ports.accounts.create(account, ports.issueConfirmation({ email, firstName: input.firstName }))
    const userId = isNew ? account.id : await remindOwner(ports, email)
    ports.wakeSender()
    return { userId: userId ?? account.id }
  }
}

async function remindOwner(ports: Ports, email: string): Promise<string | null> {
  const owner = await ports.accounts.findByEmail(email)
  if (owner === null) return null
  const mail = { id: ports.newId(), from: ports.systemMailbox, to: email, firstName: owner.firstName }
  await ports.messages.accept(alreadyRegisteredMail({ ...mail, link: `${ports.publicUrl}/login` }))
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

function passwordTooLong(): AppError {
  const msg = `password is too long; use at most ${passwordMaxBytes} bytes`
  return new AppError('validation', { items: [{ loc: ['body', 'password'], msg, type: 'too_long' }] })
}
