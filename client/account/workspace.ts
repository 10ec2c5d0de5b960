import type {
  getWorkspace as GetWorkspace,
  updateWorkspace as UpdateWorkspace,
  Workspace,
  WorkspaceChanges,
} from '../../contract/account/workspace.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/account/workspace.routes.ts'

export function getWorkspace(session: Session, options?: CallOptions): Promise<Workspace> {
  return call<typeof GetWorkspace>(session, { route: routes.getWorkspace }, options)
}

/** Sets the postal address that campaigns carry. */
export function updateWorkspace(
  session: Session,
  changes: WorkspaceChanges,
  options?: CallOptions,
): Promise<Workspace> {
  return call<typeof UpdateWorkspace>(session, { route: routes.updateWorkspace, body: changes }, options)
}
