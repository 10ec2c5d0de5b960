import { AppError } from '../../contract/errors.ts'
import { passwordMaxBytes, sessionLifeDays } from '../../contract/limits.ts'
import type { Account } from '../domain/account.ts'
import { hashToken } from '../domain/token.ts'

interface Ports {
  accounts: {
    findByEmail: (email: string) => Promise<Account | null>
    createSession: (session: {
      id: string
      userId: string
      tokenHash: Buffer
      userAgent: string | null
      expiresAt: Date
    }) => Promise<void>
  }
  /** Takes as long for an account that is not there, or has no password, as for a wrong password. */
  passwords: { verify: (hash: string | null, password: string) => Promise<boolean> }
  newId: () => string
  newToken: () => string
  now: () => Date
}

const dayMs = 86_400_000
const userAgentMaxChars = 300

/** Opens a session. Throws `invalid_credentials`, whatever was wrong. */
export function createSignIn(ports: Ports) {
  return async (input: { email: string; password: string; userAgent: string | null }) => {
    if (Buffer.byteLength(input.password) > passwordMaxBytes) {
      const msg = `password is too long; use at most ${passwordMaxBytes} bytes`
      throw new AppError('validation', { items: [{ loc: ['body', 'password'], msg, type: 'too_long' }] })
    }
    const account = await ports.accounts.findByEmail(input.email.trim().toLowerCase())
    const isRight = await ports.passwords.verify(account?.passwordHash ?? null, input.password)
    if (account === null || !isRight) throw new AppError('invalid_credentials')
    const token = ports.newToken()
    await ports.accounts.createSession({
      id: ports.newId(),
      userId: account.id,
      tokenHash: hashToken(token),
      userAgent: input.userAgent?.slice(0, userAgentMaxChars) ?? null,
      expiresAt: new Date(ports.now().getTime() + sessionLifeDays * dayMs),
    })
    return { token, isConfirmed: account.isConfirmed }
  }
}
