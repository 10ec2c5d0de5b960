import { sandboxAddress } from '../../../contract/mail/config.limits.ts'
import type { NewAccount } from '../../domain/accounts/account.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { AccountStore } from '../../store/accounts/account.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  accounts: Pick<AccountStore, 'create' | 'findByEmail' | 'setPassword' | 'findWorkspaceId'>
  mailboxes: Pick<MailboxStore, 'list' | 'save'>
  passwords: Pick<Passwords, 'hash'>
  /** Where the demo's password is kept between starts; null where it is not. */
  keptPassword: { read: () => Promise<string | null>; write: (password: string) => Promise<void> }
  newId: () => string
  newPassword: () => string
  newSecretKey: () => string
}

/** What `npm start` prints: a sign-in, and a key that sends from the sandbox mailbox. */
export interface Demo {
  email: string
  password: string
  secretKey: string
}

const email = 'demo@localhost'

/** Makes the demo workspace, or finds it, with a connected sandbox mailbox. For a server with the sandbox on only. */
export function createPrepareDemo(ports: Ports) {
  return async (): Promise<Demo> => {
    const kept = await ports.keptPassword.read()
    const password = kept ?? ports.newPassword()
    const known = await ports.accounts.findByEmail(email)
    const userId = known?.id ?? ports.newId()
    if (known === null || kept === null) {
      const passwordHash = await ports.passwords.hash(password)
      if (known === null) await ports.accounts.create(demoAccount(ports, userId, passwordHash), null)
      else await ports.accounts.setPassword(userId, passwordHash)
      await ports.keptPassword.write(password)
    }
    return { email, password, secretKey: await ensureMailbox(ports, userId) }
  }
}

function demoAccount(ports: Ports, id: string, passwordHash: string): NewAccount {
  return {
    id,
    workspaceId: ports.newId(),
    workspaceName: 'Demo',
    email,
    firstName: 'Demo',
    lastName: 'Workspace',
    passwordHash,
    referralSource: null,
    isConfirmed: true,
    accepted: [],
  }
}

async function ensureMailbox(ports: Ports, userId: string): Promise<string> {
  const workspaceId = await ports.accounts.findWorkspaceId(userId)
  if (workspaceId === null) throw new Error('The demo account has no workspace.')
  const scope = authorize({ kind: 'system', task: 'prepare-demo' }, 'mailboxes:write', workspaceId)
  const { rows } = await ports.mailboxes.list(scope, { limit: 100, offset: 0 })
  const connected = rows.find((row) => row.emailAddress === sandboxAddress && row.status === 'active')
  if (connected?.secretKey) return connected.secretKey
  const saved = await ports.mailboxes.save(scope, {
    id: ports.newId(),
    emailAddress: sandboxAddress,
    provider: 'other',
    server: null,
    appPassword: 'any',
    secretKey: ports.newSecretKey(),
  })
  if (saved.secretKey === null) throw new Error('The demo mailbox has no secret key.')
  return saved.secretKey
}
