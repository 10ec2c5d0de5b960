import type { Workspace, WorkspaceChanges } from '../../contract/account/workspace.ts'
import type * as api from '../../contract/account/workspace.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/account/workspace.routes.ts'

export function getWorkspace(session: Session, options?: CallOptions): Promise<Workspace> {
  return call<typeof api.getWorkspace>(session, { route: routes.getWorkspace }, options)
}

/** Sets the postal address that campaigns carry. */
export function updateWorkspace(
  session: Session,
  changes: WorkspaceChanges,
  options?: CallOptions,
): Promise<Workspace> {
  return call<typeof api.updateWorkspace>(session, { route: routes.updateWorkspace, body: changes }, options)
}
