import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { choicesMaxCount, contactFieldsMaxCount, fieldKeyMaxChars, fieldLabelMaxChars } from './contact.limits.ts'
import * as routes from './contact-field.routes.ts'
import { fieldTypes } from './segment-rule.ts'

const ContactField = Type.Object({
  no: Type.Integer({ description: 'Number in rules; never used again after a deletion' }),
  key: Type.String({ description: 'Name as merge variable' }),
  label: Type.String({ description: 'For people' }),
  type: Type.Enum([...fieldTypes]),
  choices: Type.Array(Type.String(), { description: 'Values of a field of type choice' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A custom field of the workspace's contacts. */
export type ContactField = Static<typeof ContactField>

const key = Type.String({ maxLength: fieldKeyMaxChars, description: 'Lower case letters a to z, digits and _' })
const label = Type.String({ maxLength: fieldLabelMaxChars, description: 'For people; trimmed' })
const choices = Type.Array(Type.String({ maxLength: fieldLabelMaxChars }), { maxItems: choicesMaxCount })

const byNo = Type.Object({ no: Type.Integer({ minimum: 1, maximum: 32_767 }) })

export const listContactFields = defineOperation({
  name: 'listContactFields',
  summary: `Custom fields of contacts, in the order of their creation; at most ${contactFieldsMaxCount}`,
  ...routeOf(routes.listContactFields),
  access: 'member',
  permission: 'contacts:read',
  answers: { 200: { description: 'The fields.', body: Type.Array(ContactField) } },
  errors: [],
})

export const createContactField = defineOperation({
  name: 'createContactField',
  summary: 'Add a custom field to contacts',
  ...routeOf(routes.createContactField),
  access: 'member',
  permission: 'contacts:write',
  body: Type.Object({
    key,
    label: Type.Optional(label),
    type: Type.Optional(Type.Enum([...fieldTypes], { default: 'text' })),
    choices: Type.Optional(choices),
  }),
  answers: { 201: { description: 'The field.', body: ContactField } },
  errors: ['field_exists', 'field_limit_reached'],
})

export const updateContactField = defineOperation({
  name: 'updateContactField',
  summary: 'Rename a custom field, or change its choices; its values stay',
  ...routeOf(routes.updateContactField),
  access: 'member',
  permission: 'contacts:write',
  params: byNo,
  body: Type.Object({ key: Type.Optional(key), label: Type.Optional(label), choices: Type.Optional(choices) }),
  answers: { 200: { description: 'The field.', body: ContactField } },
  errors: ['field_not_found', 'field_exists'],
})

export const deleteContactField = defineOperation({
  name: 'deleteContactField',
  summary: 'Delete a custom field with its values',
  ...routeOf(routes.deleteContactField),
  access: 'member',
  permission: 'contacts:write',
  params: byNo,
  query: Type.Object({
    force: Type.Optional(
      Type.Boolean({ description: 'Also where segments use it: those conditions match no contact then' }),
    ),
  }),
  answers: { 204: { description: 'Deleted.' } },
  errors: ['field_not_found', 'field_in_use'],
})

export const listFieldValues = defineOperation({
  name: 'listFieldValues',
  summary: 'The most frequent values of a field among the newest contacts, most frequent first; at most 20',
  ...routeOf(routes.listFieldValues),
  access: 'member',
  permission: 'contacts:read',
  params: Type.Object({
    field: Type.String({
      pattern: '^([1-9][0-9]{0,4}|locale|timezone|source)$',
      description: 'Number of a custom field, or locale, timezone or source',
    }),
  }),
  answers: {
    200: {
      description: 'The values.',
      body: Type.Array(
        Type.Object({ value: Type.String(), count: Type.Integer({ description: 'Of the contacts that were read' }) }),
      ),
    },
  },
  errors: [],
})
