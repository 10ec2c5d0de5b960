import { parseAddress } from '../../../contract/core/address.ts'
import { nameMaxChars, signInCodeLifeSeconds } from '../../../contract/account/account.limits.ts'
import { acceptedWithAccount, type Identity, type NewAccount } from '../../domain/accounts/account.ts'
import type { GoogleFailure, GooglePerson, GoogleTry } from '../../domain/accounts/google.ts'
import { hashToken } from '../../domain/auth/token.ts'
import type { Google } from '../../oidc/google-sign-in.ts'
import type { AccountStore } from '../../store/accounts/account.ts'
import type { IdentityStore } from '../../store/accounts/identity.ts'
import type { AccountTokenStore } from '../../store/accounts/account-token.ts'

interface Ports {
  google: Pick<Google, 'finish'>
  accounts: Pick<AccountStore, 'findByEmail'>
  identities: Pick<IdentityStore, 'findAccount' | 'createAccount'>
  accountTokens: Pick<AccountTokenStore, 'addSignInCode'>
  newId: () => string
  newCode: () => string
  newBrowserToken: () => string
  now: () => Date
}

/** How a sign-in with Google ended. */
export type GoogleOutcome =
  /** `code` is for /login, `browserToken` for the browser's cookie; each is valid only with the other. */
  | { outcome: 'signed_in'; code: string; browserToken: string }
  /** The address has a confirmed account: its password is asked for once. */
  | { outcome: 'password_first'; link: Identity & { userId: string } }
  | { outcome: GoogleFailure | 'unverified' }

/**
 * Finds or makes the account of somebody who comes back from Google. The account is known by Google's `sub`; the address
 * counts only where Google has verified it, and alone links nothing to a confirmed account.
 */
export function createFinishGoogleSignIn(ports: Ports) {
  return async (search: string, started: GoogleTry | null): Promise<GoogleOutcome> => {
    if (started === null) return { outcome: 'refused' }
    const answer = await ports.google.finish(search, started)
    if ('failure' in answer) return { outcome: answer.failure }
    const { person } = answer
    const known = await ports.identities.findAccount(person)
    if (known !== null) return signIn(ports, known.id)

    const address = parseAddress(person.verifiedEmail ?? '')
    if (!address.ok) return { outcome: 'unverified' }
    const account = newAccount(ports, person, address.key)
    if (await ports.identities.createAccount(account, person)) return signIn(ports, account.id)
    // The address is confirmed, or another tab of the user was faster.
    const made = await ports.identities.findAccount(person)
    if (made !== null) return signIn(ports, made.id)
    const owner = await ports.accounts.findByEmail(address.key)
    if (owner === null) return { outcome: 'refused' }
    const { issuer, subject } = person
    return { outcome: 'password_first', link: { issuer, subject, userId: owner.id } }
  }
}

async function signIn(ports: Ports, userId: string): Promise<GoogleOutcome> {
  const [code, browserToken] = [ports.newCode(), ports.newBrowserToken()]
  await ports.accountTokens.addSignInCode({
    userId,
    tokenHash: hashToken(code),
    browserHash: hashToken(browserToken),
    expiresAt: new Date(ports.now().getTime() + signInCodeLifeSeconds * 1000),
  })
  return { outcome: 'signed_in', code, browserToken }
}

function newAccount(ports: Ports, person: GooglePerson, email: string): NewAccount {
  const [firstName, lastName] = [clean(person.firstName) || (email.split('@', 1)[0] ?? ''), clean(person.lastName)]
  return {
    id: ports.newId(),
    workspaceId: ports.newId(),
    workspaceName: `${firstName} ${lastName}`.trim(),
    email,
    firstName,
    lastName,
    passwordHash: null,
    referralSource: null,
    isConfirmed: true,
    accepted: acceptedWithAccount,
  }
}

/** A name as sign-up would take it. */
function clean(name: string): string {
  return name.replace(/\p{C}/gu, '').trim().slice(0, nameMaxChars)
}
