import { Type, type Static } from 'typebox'
import { eventsKeepMonths, postalAddressMaxChars, workspaceNameMaxChars } from './workspace.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { Tracking } from '../results/tracking.ts'
import * as routes from './workspace.routes.ts'

const Workspace = Type.Object({
  id: Type.String(),
  name: Type.String(),
  postal_address: Type.Union([Type.String(), Type.Null()], { description: 'Shown in the footer of every campaign' }),
  tracking: Tracking,
  api_tracking: Tracking,
  events_keep_months: Type.Integer({
    description: 'Months for which single events are kept; the figures of reports stay',
  }),
})
/** Whose mail it is. */
export type Workspace = Static<typeof Workspace>

const WorkspaceChanges = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: workspaceNameMaxChars })),
  postal_address: Type.Optional(Type.String({ maxLength: postalAddressMaxChars })),
  tracking: Type.Optional(Tracking),
  api_tracking: Type.Optional(Tracking),
  events_keep_months: Type.Optional(Type.Integer({ minimum: eventsKeepMonths.min, maximum: eventsKeepMonths.max })),
})
export type WorkspaceChanges = Static<typeof WorkspaceChanges>

export const getWorkspace = defineOperation({
  name: 'getWorkspace',
  summary: 'The workspace of the caller',
  ...routeOf(routes.getWorkspace),
  access: 'member',
  permission: 'workspace:read',
  answers: { 200: { description: 'The workspace.', body: Workspace } },
})

export const updateWorkspace = defineOperation({
  name: 'updateWorkspace',
  summary:
    'Change the name of the workspace, the postal address that campaigns carry, or what is recorded of opens and clicks and for how long',
  ...routeOf(routes.updateWorkspace),
  access: 'member',
  permission: 'workspace:write',
  body: WorkspaceChanges,
  answers: { 200: { description: 'Changed.', body: Workspace } },
})
