import { AppError } from '../../../contract/core/errors.ts'
import { hostedTokenLifeDays } from '../../../contract/hosted/hosted.limits.ts'
import { networkOf, type Attempts } from '../../domain/limits/attempt.ts'
import { passwordProblem } from '../../domain/auth/credentials.ts'
import type { HostedUserRow } from '../../domain/auth/hosted.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import { hashToken } from '../../domain/auth/token.ts'
import { takeAll } from '../limits/take-attempts.ts'
import type { HostedUserStore } from '../../store/hosted/hosted-user.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface TokenPorts {
  users: Pick<HostedUserStore, 'addToken'>
  newToken: () => string
  now: () => Date
}

interface Ports extends TokenPorts {
  users: TokenPorts['users'] & {
    findByEmail: (email: string) => Promise<{ user: HostedUserRow; passwordHash: string } | null>
  }
  /** Takes equally long for an unknown user and for a wrong password. */
  passwords: Pick<Passwords, 'verify'>
  attempts: Attempts
  noteSecurityEvent: NoteSecurityEvent
}

/** A hosted user with a new token. */
export interface HostedSignIn {
  token: string
  user: HostedUserRow
}

const dayMs = 86_400_000

/** Signs a hosted user in. Throws `invalid_credentials`, whatever was wrong, `too_many_attempts` and `validation`. */
export function createSignInHosted(ports: Ports) {
  return async (input: { email: string; password: string; address: string }): Promise<HostedSignIn> => {
    const problem = passwordProblem(input.password)
    if (problem !== null) throw new AppError('validation', { items: [problem] })
    const email = input.email.trim().toLowerCase()
    const network = networkOf(input.address)
    const pair = `${email}\n${network}`
    await takeAll(ports.attempts, [
      ['hosted-sign-in', pair],
      ['hosted-sign-in-account', email],
      ['hosted-sign-in-network', network],
    ]).catch((error: unknown) => {
      if (error instanceof AppError) ports.noteSecurityEvent('sign_in_locked', { realm: 'hosted' })
      throw error
    })
    const found = await ports.users.findByEmail(email)
    const isRight = await ports.passwords.verify(found?.passwordHash ?? null, input.password)
    if (found === null || !isRight) {
      ports.noteSecurityEvent('sign_in_failed', { realm: 'hosted', userId: found?.user.id ?? null })
      throw new AppError('invalid_credentials')
    }
    await ports.attempts.clear('hosted-sign-in', pair)
    return { token: await issueHostedToken(ports, found.user.id), user: found.user }
  }
}

/** Creates a token for a hosted user and stores its hash. */
export async function issueHostedToken(ports: TokenPorts, userId: string): Promise<string> {
  const token = ports.newToken()
  const expiresAt = new Date(ports.now().getTime() + hostedTokenLifeDays * dayMs)
  await ports.users.addToken({ tokenHash: hashToken(token), userId, expiresAt })
  return token
}
