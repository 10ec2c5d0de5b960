import { sessionIdleDays } from '../../../contract/account/account.limits.ts'
import { createAcceptanceStore } from '../../store/accounts/acceptance.ts'
import { createAccountTokenStore } from '../../store/accounts/account-token.ts'
import { createAccountStore } from '../../store/accounts/account.ts'
import { createIdentityStore } from '../../store/accounts/identity.ts'
import { createPasswords } from '../../store/accounts/passwords.ts'
import { createPendingAccountStore } from '../../store/accounts/pending-account.ts'
import { createProfileStore } from '../../store/accounts/profile.ts'
import { createSessionStore } from '../../store/accounts/session.ts'
import type { Parts } from '../core/parts.ts'
import { messageStore } from './messages.ts'
import { createAccountMails } from '../../store/accounts/account-mails.ts'

/** Accounts, their sessions and passwords. */
export function accountStores({ database, resolve }: Parts) {
  const accountMails = createAccountMails(resolve(messageStore))
  return {
    accountMails,
    acceptances: createAcceptanceStore(database),
    accounts: createAccountStore(database, accountMails),
    accountTokens: createAccountTokenStore(database, accountMails),
    identities: createIdentityStore(database),
    passwords: createPasswords(),
    pendingAccounts: createPendingAccountStore(database),
    profiles: createProfileStore(database, accountMails),
    sessions: createSessionStore(database, { idleDays: sessionIdleDays }),
  }
}
