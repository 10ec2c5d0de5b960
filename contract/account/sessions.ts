import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import * as routes from './sessions.routes.ts'

const SignInSession = Type.Object({
  id: Type.String(),
  device: Type.String({ description: "What signed in, such as 'Firefox on Windows'", examples: ['Safari on iPhone'] }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  last_used_at: Type.String({ description: 'ISO 8601, UTC; exact to a minute' }),
  expires_at: Type.String({ description: 'When it ends at the latest; ISO 8601, UTC' }),
  is_current: Type.Boolean({ description: 'Whether it is the session of this request' }),
})
/** A sign-in that has not ended. */
export type SignInSession = Static<typeof SignInSession>

export const listSessions = defineOperation({
  name: 'listSessions',
  summary: 'List the sessions of the user: the current one first, then by last use',
  ...routeOf(routes.listSessions),
  access: 'member',
  permission: 'workspace:read',
  query: Type.Object(CursorPaging),
  answers: pageAnswer('The live sessions.', SignInSession),
})

export const revokeSession = defineOperation({
  name: 'revokeSession',
  summary: 'End one session',
  ...routeOf(routes.revokeSession),
  access: 'member',
  permission: 'workspace:read',
  params: Type.Object({ id: Type.String() }),
  answers: { 204: { description: 'Its token no longer works.' } },
  errors: ['session_not_found'],
})

export const revokeOtherSessions = defineOperation({
  name: 'revokeOtherSessions',
  summary: 'End every session except the current one',
  ...routeOf(routes.revokeOtherSessions),
  access: 'member',
  permission: 'workspace:read',
  answers: { 204: { description: 'Their tokens no longer work.' } },
})
