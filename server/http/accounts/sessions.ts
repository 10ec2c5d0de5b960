import type {
  createListSessions,
  createRevokeOtherSessions,
  createRevokeSession,
} from '../../usecases/accounts/sessions.ts'
import * as contract from '../../../contract/account/sessions.ts'
import { deviceOf } from '../../domain/accounts/device.ts'
import type { SessionRow } from '../../domain/accounts/session.ts'
import { readPage, setPageHeaders } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the session calls. */
export interface SessionUseCases {
  listSessions: ReturnType<typeof createListSessions>
  revokeSession: ReturnType<typeof createRevokeSession>
  revokeOtherSessions: ReturnType<typeof createRevokeOtherSessions>
}

/** `/auth/sessions`: the sessions of a user. */
export function addSessionRoutes(add: AddRoute, useCases: SessionUseCases): void {
  add(contract.listSessions, async ({ query, caller, reply }) => {
    const found = await useCases.listSessions(caller, readPage(query))
    setPageHeaders(reply, found)
    return found.rows.map((row) => toSession(row, caller.sessionId))
  })

  add(contract.revokeSession, ({ params, caller }) => useCases.revokeSession(caller, params.id))

  add(contract.revokeOtherSessions, ({ caller }) => useCases.revokeOtherSessions(caller))
}

function toSession(row: SessionRow, currentId: string): contract.SignInSession {
  return {
    ...toWire(row, ['id', 'createdAt', 'lastUsedAt', 'expiresAt']),
    device: deviceOf(row.userAgent),
    is_current: row.id === currentId,
  }
}
