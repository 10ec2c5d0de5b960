import { authorize } from '../../server/domain/auth/authorize.ts'
import type { Scope } from '../../server/domain/auth/scope.ts'

/** The scope of a whole workspace, for tests that call a store or a use case without a request. */
export function scopeOf(workspaceId: string): Scope {
  return authorize({ kind: 'system', task: 'test' }, 'workspace:read', workspaceId)
}
