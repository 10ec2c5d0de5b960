import type {
  getWorkspace as GetWorkspace,
  updateWorkspace as UpdateWorkspace,
  Workspace,
  WorkspaceChanges,
} from '../../contract/account/workspace.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

const path = '/workspace'

export function getWorkspace(session: Session, options?: CallOptions): Promise<Workspace> {
  return call<typeof GetWorkspace>(session, { method: 'GET', path }, options)
}

/** Sets the postal address that campaigns carry. */
export function updateWorkspace(
  session: Session,
  changes: WorkspaceChanges,
  options?: CallOptions,
): Promise<Workspace> {
  return call<typeof UpdateWorkspace>(session, { method: 'PATCH', path, body: changes }, options)
}
