import type { PageQuery } from '../../domain/core/page.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import type { SessionStore } from '../../store/accounts/session.ts'

interface Ports {
  sessions: Pick<SessionStore, 'list' | 'end' | 'endOthers'>
  noteSecurityEvent: NoteSecurityEvent
}

type Who = Pick<SignedInUser, 'userId' | 'sessionId'>

/** Lists the sessions of a user. */
export function createListSessions({ sessions }: Pick<Ports, 'sessions'>) {
  return ({ userId, sessionId }: Who, page: PageQuery) => sessions.list({ userId, currentId: sessionId }, page)
}

/** Ends a session of the user. Throws `session_not_found`, also for a session of another user. */
export function createRevokeSession({ sessions, noteSecurityEvent }: Ports) {
  return async ({ userId }: Pick<Who, 'userId'>, id: string): Promise<void> => {
    if (!isRowId(id) || !(await sessions.end({ userId, id }))) throw new AppError('session_not_found')
    noteSecurityEvent('session_revoked', { userId, sessionId: id })
  }
}

/** Ends every session of the user except the caller's. */
export function createRevokeOtherSessions({ sessions, noteSecurityEvent }: Ports) {
  return async ({ userId, sessionId }: Who): Promise<void> => {
    await sessions.endOthers({ userId, currentId: sessionId })
    noteSecurityEvent('session_revoked', { userId })
  }
}
