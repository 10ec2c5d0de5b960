import { AppError } from '../../contract/errors.ts'
import type { Account, Identity } from '../domain/account.ts'
import { networkOf, type Attempts } from '../domain/attempt.ts'
import { requireHashable } from '../domain/password.ts'
import type { OpenSession } from './open-session.ts'
import { takeAll, type Limit } from './take-attempts.ts'

interface Ports {
  accounts: { findByEmail: (email: string) => Promise<Account | null> }
  identities: { link: (userId: string, identity: Identity) => Promise<void> }
  attempts: Attempts
  /** Takes as long for an account that is not there, or has no password, as for a wrong password. */
  passwords: { verify: (hash: string | null, password: string) => Promise<boolean> }
  openSession: OpenSession
}

/** What a sign-in brings along beside email and password. */
export interface SignInInput {
  email: string
  password: string
  userAgent: string | null
  /** Address of the client. */
  address: string
  /** The device's id, and who signed in on it before; null for one that is new to us. */
  device: { id: string; userIds: readonly string[] } | null
  /** An identity that waits for this account's password, once. */
  pendingLink: (Identity & { userId: string }) | null
}

/**
 * Opens a session. Throws `invalid_credentials`, whatever was wrong, and `too_many_attempts` before any password is
 * looked at. Failures count for the address and for the client's network; those of a device that the account has signed
 * in on before count for the device alone, so that a stranger's failures never shut the owner out.
 */
export function createSignIn(ports: Ports) {
  return async (input: SignInInput): Promise<{ token: string; userId: string; isConfirmed: boolean }> => {
    requireHashable(input.password, 'password')
    const email = input.email.trim().toLowerCase()
    const account = await ports.accounts.findByEmail(email)
    const limits = limitsOf(input, email, account)
    const attempts = await takeAll(ports.attempts, limits)
    const isRight = await ports.passwords.verify(account?.passwordHash ?? null, input.password)
    if (account === null || !isRight) throw new AppError('invalid_credentials')
    await Promise.all(attempts.map((id) => ports.attempts.giveBack(id)))
    const [own] = limits
    if (own) await ports.attempts.clear(...own)
    if (input.pendingLink?.userId === account.id) await ports.identities.link(account.id, input.pendingLink)
    const token = await ports.openSession(account.id, input.userAgent)
    return { token, userId: account.id, isConfirmed: account.isConfirmed }
  }
}

/** Under which limits a try counts: the account's own first. */
function limitsOf({ device, address }: SignInInput, email: string, account: Account | null): Limit[] {
  if (account !== null && device?.userIds.includes(account.id))
    return [['sign-in-device', `${device.id} ${account.id}`]]
  return [
    ['sign-in-address', email],
    ['sign-in-network', networkOf(address)],
  ]
}
