import { AppError } from '../../../contract/core/errors.ts'
import { embedScopePermissions } from '../../../contract/embed/embed-scopes.ts'
import { permissions, type Permission } from '../../../contract/core/permission.ts'
import type { Caller, OperatorCaller, SystemCaller } from './caller.ts'
import type { Scope, SystemScope } from './scope.ts'

/**
 * What a secret key may do, for its own mailbox. The access `opener` is the only one for `embeds:write` that accepts a
 * secret key, so this permission opens embed sessions and does nothing else.
 */
const secretKeyPermissions: readonly Permission[] = ['messages:send', 'messages:read', 'embeds:write']

/**
 * Decides whether a caller may do something, and gives the scope for it. A task and a command name the workspace; all
 * other callers have one, and `workspaceId` is that of the object, if it is known. Throws `permission_missing` with the
 * permission's name, and `not_found` for an object of another workspace.
 */
export function authorize(caller: SystemCaller | OperatorCaller, permission: Permission, workspaceId: string): Scope
export function authorize(caller: Caller, permission: Permission, workspaceId?: string): Scope
export function authorize(caller: Caller, permission: Permission, workspaceId?: string): Scope {
  const own = workspaceOf(caller) ?? workspaceId
  if (own === undefined || !holds(caller, permission)) {
    const detail = `This needs the permission “${permissions[permission].title}” (${permission}). Ask an owner or admin of the workspace.`
    throw new AppError('permission_missing', { detail, extra: { permission } })
  }
  if (workspaceId !== undefined && workspaceId !== own) throw new AppError('not_found')
  // oxlint-disable-next-line sendwright/scope -- the only constructor
  return { workspaceId: own, lists: 'all', mailboxes: 'all' } as Scope
}

/** The scope of a task or command that works on all workspaces. */
export function authorizeAll(_caller: SystemCaller | OperatorCaller): SystemScope {
  // oxlint-disable-next-line sendwright/scope -- the only constructor
  return { workspaces: 'all' } as SystemScope
}

/** Whether a caller may do something, in addition to what its call is authorised for. */
export function holds(caller: Caller, permission: Permission): boolean {
  switch (caller.kind) {
    case 'secret_key':
      return secretKeyPermissions.includes(permission)
    case 'embed':
      return caller.grant.scopes.some((scope) => embedScopePermissions[scope].includes(permission))
    case 'embed_visitor':
      return permission === 'templates:read'
    // Until members have roles, each holds every permission.
    case 'member':
    case 'system':
    case 'operator':
      return true
    case 'public':
    case 'account':
    case 'hosted':
    case 'hosted_user':
      return false
  }
}

/** The workspace that a caller belongs to; undefined for callers of none and of every workspace. */
export function workspaceOf(caller: Caller): string | undefined {
  switch (caller.kind) {
    case 'member':
      return caller.workspace.id
    case 'secret_key':
    case 'embed_visitor':
      return caller.workspaceId
    case 'embed':
      return caller.grant.workspaceId
    case 'public':
    case 'account':
    case 'hosted':
    case 'hosted_user':
    case 'system':
    case 'operator':
      return undefined
  }
}
