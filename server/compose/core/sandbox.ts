import { join } from 'node:path'
import { addSandboxRoutes } from '../../http/sandbox/sandbox.ts'
import { createPasswordFile } from '../../postgres/password-file.ts'
import { incomingMail } from '../../sandbox/incoming-mail.ts'
import { createSandboxMessageStore } from '../../store/sandbox/sandbox-message.ts'
import { createPrepareDemo, type Demo } from '../../usecases/sandbox/prepare-demo.ts'
import { tokenOf, type Noun, type Parts, type ServerParts } from './parts.ts'
import { accountStores } from '../stores/accounts.ts'
import { mailboxStores } from '../stores/mailboxes.ts'
import { authorizeAll } from '../../domain/auth/authorize.ts'
import { bindScope } from '../../domain/auth/scope.ts'

const system = authorizeAll({ kind: 'system', task: 'sandbox' })

export const sandboxMessageStore = ({ database }: Parts) => bindScope(createSandboxMessageStore(database.pool), system)

/** Creates the demo workspace, or finds it. */
export function prepareDemo(parts: ServerParts): Promise<Demo> {
  const { dataDir, newId, newToken, resolve } = parts
  const { accounts, passwords } = resolve(accountStores)
  return createPrepareDemo({
    accounts,
    mailboxes: resolve(mailboxStores).mailboxes,
    passwords,
    keptPassword: createPasswordFile(join(dataDir, 'demo-password')),
    newId,
    newPassword: () => newToken('access').slice(-12),
    newSecretKey: tokenOf(parts, 'secret_key'),
  })()
}

export const sandbox: Noun = {
  addRoutes(add, { isSandboxOn, now, resolve, sandboxImap }) {
    if (!isSandboxOn || sandboxImap === null) return
    addSandboxRoutes(add, {
      ...resolve(sandboxMessageStore),
      answer({ from, to, subject, headers }, kind) {
        const mail = { from, recipient: to[0] ?? '', subject, messageId: headers['message-id'] ?? '' }
        sandboxImap.append('INBOX', incomingMail(kind, mail, now()), now())
      },
    })
  },
}
