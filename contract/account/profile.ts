import { Type, type Static } from 'typebox'
import { Preferences, User } from './account.ts'
import { nameMaxChars, passwordMinChars } from './account.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './profile.routes.ts'

const UserChanges = Type.Object({
  first_name: Type.Optional(Type.String({ minLength: 1, maxLength: nameMaxChars })),
  last_name: Type.Optional(Type.String({ minLength: 1, maxLength: nameMaxChars })),
  preferences: Type.Optional(Preferences),
})
/** Changes of a user's own profile; absent preferences stay. */
export type UserChanges = Static<typeof UserChanges>

export const updateCurrentUser = defineOperation({
  name: 'updateCurrentUser',
  summary: 'Change the name of the signed-in person, or how the dashboard looks to them',
  ...routeOf(routes.updateCurrentUser),
  access: 'member',
  permission: 'workspace:read',
  body: UserChanges,
  answers: { 200: { description: 'Changed.', body: User } },
})

export const changePassword = defineOperation({
  name: 'changePassword',
  summary: 'Set a new password while signed in; every other session ends',
  ...routeOf(routes.changePassword),
  access: 'member',
  permission: 'workspace:read',
  body: Type.Object({ current_password: Type.String(), new_password: Type.String({ minLength: passwordMinChars }) }),
  answers: { 204: { description: 'The new password holds. The session that asked goes on.' } },
  errors: ['password_wrong', 'password_missing', 'too_many_attempts'],
})

export const closeAccount = defineOperation({
  name: 'closeAccount',
  summary: 'Close the account: access ends at once, what waits is cancelled, the data is deleted after 30 days',
  ...routeOf(routes.closeAccount),
  access: 'member',
  permission: 'workspace:read',
  body: Type.Object({ password: Type.String() }),
  answers: { 204: { description: 'Closed. No token and no secret key of it works any more.' } },
  errors: ['password_wrong', 'password_missing', 'too_many_attempts'],
})
