import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { contactFilter } from './contact.ts'
import { fieldKeyMaxChars } from './contact.limits.ts'
import * as routes from './contact-action.routes.ts'

export const contactActionKinds = ['add_to_list', 'remove_from_list', 'move_to_list', 'set_field', 'delete'] as const
export type ContactActionKind = (typeof contactActionKinds)[number]

const id = Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: 'Decimal number' })

const NewContactAction = Type.Object({
  kind: Type.Enum([...contactActionKinds]),
  ids: Type.Optional(
    Type.Array(id, { minItems: 1, maxItems: 10_000, description: 'Contacts; absent: all that match' }),
  ),
  filter: Type.Optional(Type.Object(contactFilter)),
  list_id: Type.Optional(id),
  from_list_id: Type.Optional(id),
  field: Type.Optional(Type.String({ maxLength: fieldKeyMaxChars, description: 'Key of the field to set' })),
  value: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
})
export type NewContactAction = Static<typeof NewContactAction>

const ContactAction = Type.Object({
  id: Type.String(),
  kind: Type.Enum([...contactActionKinds]),
  state: Type.Enum(['running', 'done', 'undoing', 'undone', 'failed']),
  done: Type.Integer({ description: 'Contacts done' }),
  total: Type.Integer(),
  undo_until: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, UTC' }),
})
/** An action on many contacts. */
export type ContactAction = Static<typeof ContactAction>

const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })

export const startContactAction = defineOperation({
  name: 'startContactAction',
  summary: 'Change or delete many contacts: some by id, or all that match a filter',
  ...routeOf(routes.startContactAction),
  access: 'member',
  permission: 'contacts:write',
  body: NewContactAction,
  answers: { 202: { description: 'The action; it runs in the background.', body: ContactAction } },
  errors: [
    'actions_running',
    'list_not_found',
    'field_unknown',
    'field_value_invalid',
    'segment_rule_invalid',
    'segment_not_found',
  ],
})

export const getContactAction = defineOperation({
  name: 'getContactAction',
  summary: 'The progress of an action',
  ...routeOf(routes.getContactAction),
  access: 'member',
  permission: 'contacts:write',
  params: byId,
  answers: { 200: { description: 'The action.', body: ContactAction } },
  errors: ['action_not_found'],
})

export const undoContactAction = defineOperation({
  name: 'undoContactAction',
  summary: 'Undo an action: restore the values and memberships of its contacts, within 24 hours',
  ...routeOf(routes.undoContactAction),
  access: 'member',
  permission: 'contacts:write',
  params: byId,
  answers: { 200: { description: 'The action.', body: ContactAction } },
  errors: ['action_not_found', 'undo_too_late'],
})
