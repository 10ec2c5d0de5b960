import { AppError } from '../../../contract/core/errors.ts'
import type { Account, Identity } from '../../domain/accounts/account.ts'
import { networkOf, type Attempts } from '../../domain/limits/attempt.ts'
import { requireHashable } from '../../domain/accounts/password.ts'
import type { ProofOfWork } from '../../domain/limits/proof-of-work.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import type { OpenSession } from './open-session.ts'
import type { Limit } from '../limits/take-attempts.ts'
import type { AccountStore } from '../../store/accounts/account.ts'
import type { IdentityStore } from '../../store/accounts/identity.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  accounts: Pick<AccountStore, 'findByEmail'>
  identities: Pick<IdentityStore, 'link'>
  attempts: Attempts
  /** Takes as long for an account that is not there, or has no password, as for a wrong password. */
  passwords: Pick<Passwords, 'verify'>
  proofOfWork: ProofOfWork
  openSession: OpenSession
  noteSecurityEvent: NoteSecurityEvent
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
  /** Solution of the challenge that an earlier try was answered with. */
  proofOfWork: string | null
}

/**
 * Opens a session. Throws `invalid_credentials` for every wrong input, and `too_many_attempts` or `proof_of_work_required`
 * before the password check. Failures count per address and per network. Failures on a device that the account has used
 * count for that device only, so that an attacker's failures never lock the owner out. A network with too many failures
 * gets one attempt for each solved proof of work.
 */
export function createSignIn(ports: Ports) {
  return async (input: SignInInput): Promise<{ token: string; userId: string; isConfirmed: boolean }> => {
    requireHashable(input.password, 'password')
    const email = input.email.trim().toLowerCase()
    const account = await ports.accounts.findByEmail(email)
    const own = ownLimit(input, email, account)
    const attempts = await takeTries(ports, input, own, account)
    const isRight = await ports.passwords.verify(account?.passwordHash ?? null, input.password)
    if (account === null || !isRight) {
      ports.noteSecurityEvent('sign_in_failed', { userId: account?.id ?? null })
      throw new AppError('invalid_credentials')
    }
    await Promise.all(attempts.map((id) => ports.attempts.giveBack(id)))
    await ports.attempts.clear(...own)
    if (input.pendingLink?.userId === account.id) await ports.identities.link(account.id, input.pendingLink)
    const token = await ports.openSession(account.id, input.userAgent)
    return { token, userId: account.id, isConfirmed: account.isConfirmed }
  }
}

/** Counts an attempt and returns the ids for `giveBack`. */
async function takeTries(ports: Ports, input: SignInInput, own: Limit, account: Account | null): Promise<number[]> {
  const userId = account?.id ?? null
  const isKnownDevice = own[0] === 'sign-in-device'
  const first = await ports.attempts.take(...own)
  if (!first.ok) {
    ports.noteSecurityEvent('sign_in_locked', { userId, limit: isKnownDevice ? 'device' : 'account' })
    throw new AppError('too_many_attempts', { retryAfterMs: first.retryAfterMs })
  }
  if (isKnownDevice) return [first.id]
  const second = await ports.attempts.take('sign-in-network', networkOf(input.address))
  if (second.ok) return [first.id, second.id]
  if (await isProofGood(ports, input.proofOfWork)) return [first.id]
  await ports.attempts.giveBack(first.id)
  ports.noteSecurityEvent('sign_in_locked', { userId, limit: 'network' })
  throw new AppError('proof_of_work_required', {
    retryAfterMs: second.retryAfterMs,
    extra: { challenge: await ports.proofOfWork.issue() },
  })
}

/** Whether a challenge was solved, and never before brought: it is used up by this. */
async function isProofGood({ attempts, proofOfWork }: Ports, solution: string | null): Promise<boolean> {
  const id = solution === null ? null : await proofOfWork.check(solution)
  return id !== null && (await attempts.take('sign-in-proof', id)).ok
}

/** Under which limit a try counts, beside that of its network. */
function ownLimit({ device }: SignInInput, email: string, account: Account | null): Limit {
  if (account === null || !device?.userIds.includes(account.id)) return ['sign-in-address', email]
  return ['sign-in-device', `${device.id} ${account.id}`]
}
