import { authorize, authorizeAll } from '../../server/domain/auth/authorize.ts'
import type { Scope, SystemScope } from '../../server/domain/auth/scope.ts'

/** The scope of a whole workspace, for tests that call a store or a use case without a request. */
export function scopeOf(workspaceId: string): Scope {
  return authorize({ kind: 'system', task: 'test' }, 'workspace:read', workspaceId)
}

/** The scope of all workspaces, as background tasks have it. */
export const systemScope: SystemScope = authorizeAll({ kind: 'system', task: 'test' })
