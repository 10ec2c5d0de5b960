import { sessionLifeDays } from '../../../contract/account/account.limits.ts'
import { hashToken } from '../../domain/auth/token.ts'
import type { SessionStore } from '../../store/accounts/session.ts'

interface Ports {
  sessions: Pick<SessionStore, 'create'>
  newId: () => string
  newToken: () => string
  now: () => Date
}

/** Opens a session of a user and returns its token, which is not stored. */
export type OpenSession = (userId: string, userAgent: string | null) => Promise<string>

const dayMs = 86_400_000
const userAgentMaxChars = 300

export function createOpenSession(ports: Ports): OpenSession {
  return async (userId, userAgent) => {
    const token = ports.newToken()
    await ports.sessions.create({
      id: ports.newId(),
      userId,
      tokenHash: hashToken(token),
      userAgent: userAgent?.slice(0, userAgentMaxChars) ?? null,
      expiresAt: new Date(ports.now().getTime() + sessionLifeDays * dayMs),
    })
    return token
  }
}
