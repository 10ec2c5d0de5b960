import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { nextCursorHeader } from '../core/paging.ts'
import { listDefaultCount, listMaxCount } from '../core/limits.ts'
import { contactBatchMaxCount, timelineKinds } from './contact.limits.ts'
import * as routes from './contact.routes.ts'
import { ContactTracking } from '../results/tracking.ts'
import { memberStates } from './segment-rule.ts'

/** Whether a contact gets campaigns; the others than `active` are the reasons of a suppression of the address. */
export const contactStatuses = ['active', 'unsubscribed', 'bounced', 'complained', 'manual'] as const
export type ContactStatus = (typeof contactStatuses)[number]

export const contactSorts = ['newest', 'email', 'last_activity'] as const
export type ContactSort = (typeof contactSorts)[number]

const idPattern = '^[1-9][0-9]{0,17}$'
const id = Type.String({ pattern: idPattern, description: 'Decimal number' })
const instant = Type.String({ description: 'ISO 8601, UTC' })
const orNull = (shape: ReturnType<typeof Type.String>) => Type.Union([shape, Type.Null()])
const FieldValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const Contact = Type.Object({
  id: Type.String(),
  email: Type.String(),
  status: Type.Enum([...contactStatuses]),
  fields: Type.Record(Type.String(), FieldValue, { description: 'Values by the key of their field' }),
  timezone: orNull(Type.String({ description: 'IANA name' })),
  locale: orNull(Type.String({ description: 'BCP 47' })),
  source: Type.String({ description: 'How it became a contact: api, manual, import or form' }),
  created_at: instant,
  updated_at: instant,
  last_sent_at: orNull(instant),
  last_activity_at: orNull(instant),
  list_state: Type.Optional(
    Type.Enum([...memberStates], { description: 'State on the list of the filter; only with list_id' }),
  ),
})
export type Contact = Static<typeof Contact>

const ContactDetail = Type.Object({
  ...Contact.properties,
  tracking: ContactTracking,
  lists: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), state: Type.Enum([...memberStates]), since: instant }),
  ),
  consents: Type.Array(
    Type.Object({ kind: Type.String(), text: Type.String({ description: 'Wording' }), at: instant }),
  ),
  suppression: Type.Union([
    Type.Object({ id: Type.String(), reason: Type.String(), detail: orNull(Type.String()), created_at: instant }),
    Type.Null(),
  ]),
})
/** A contact with its memberships and consents. */
export type ContactDetail = Static<typeof ContactDetail>

const writable = {
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Union([FieldValue, Type.Null()]), {
      description: 'Values by the key of their field; null removes one, the others stay',
    }),
  ),
  timezone: Type.Optional(orNull(Type.String({ maxLength: 64, description: 'IANA name' }))),
  locale: Type.Optional(orNull(Type.String({ maxLength: 35, description: 'BCP 47' }))),
}
const email = Type.String({ minLength: 1, maxLength: 512 })
const NewContact = Type.Object({
  email,
  ...writable,
  list_ids: Type.Optional(Type.Array(id, { maxItems: 100, description: 'Lists that it becomes a member of' })),
})
export type NewContact = Static<typeof NewContact>

const ContactChanges = Type.Object({
  email: Type.Optional(email),
  ...writable,
  tracking: Type.Optional(ContactTracking),
})
export type ContactChanges = Static<typeof ContactChanges>

/** What narrows a list of contacts. */
export const contactFilter = {
  search: Type.Optional(
    Type.String({ maxLength: 254, description: 'Beginning of the address, @ and a domain, or a first or last name' }),
  ),
  list_id: Type.Optional(
    Type.String({ pattern: idPattern, description: 'Its members in every state, each with list_state' }),
  ),
  segment_id: Type.Optional(id),
  status: Type.Optional(Type.Enum([...contactStatuses])),
  rule: Type.Optional(Type.String({ maxLength: 8000, description: 'A rule of a segment, as JSON' })),
}
const ContactFilter = Type.Object(contactFilter)
export type ContactFilter = Static<typeof ContactFilter>

const ContactCount = Type.Object({
  count: Type.Integer(),
  is_estimate: Type.Boolean({ description: 'From a sample of the contacts' }),
  took_ms: Type.Integer(),
})
export type ContactCount = Static<typeof ContactCount>

const TimelineEntry = Type.Object({
  kind: Type.Enum([...timelineKinds]),
  at: instant,
  title: Type.String({ description: 'Name of the campaign or list, subject of a single mail, or kind of the consent' }),
  detail: Type.String({
    description:
      'State of the mail or of the membership, wording of the consent, address of a clicked link, words of a reply or of the mail server',
  }),
  object_id: orNull(Type.String({ description: 'Campaign, list or, of the kind message, message' })),
  verdict: Type.Union([Type.Enum(['human', 'probable', 'machine']), Type.Null()], {
    description: 'Who opened or clicked',
  }),
  reason: orNull(Type.String({ description: 'Why the mail bounced or is delayed, such as `mailbox_full`' })),
})
export type TimelineEntry = Static<typeof TimelineEntry>

const byId = Type.Object({ id })
const cursorHeader = { [nextCursorHeader]: 'Cursor of the next page; absent on the last one' }

export const listContacts = defineOperation({
  name: 'listContacts',
  summary: 'Contacts of the workspace, by cursor',
  ...routeOf(routes.listContacts),
  access: 'member',
  permission: 'contacts:read',
  query: Type.Object({
    ...contactFilter,
    sort: Type.Optional(Type.Enum([...contactSorts], { default: 'newest' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: listMaxCount, default: listDefaultCount })),
    cursor: Type.Optional(Type.String({ maxLength: 600, description: 'X-Next-Cursor of the previous page' })),
  }),
  answers: {
    200: { description: 'The contacts.', body: Type.Array(Contact), headers: cursorHeader },
  },
  errors: ['segment_rule_invalid', 'segment_not_found'],
})

export const countContacts = defineOperation({
  name: 'countContacts',
  summary: 'Number of contacts that match, as server-sent events named `count`: an estimate, then the exact number',
  ...routeOf(routes.countContacts),
  access: 'member',
  permission: 'contacts:read',
  query: ContactFilter,
  answers: { 200: { description: 'One or two events.', media: 'text/event-stream', body: ContactCount } },
  errors: ['segment_rule_invalid', 'segment_not_found'],
})

export const exportContacts = defineOperation({
  name: 'exportContacts',
  summary: 'The contacts that match as CSV or NDJSON; cells that a spreadsheet would compute begin with an apostrophe',
  ...routeOf(routes.exportContacts),
  access: 'member',
  permission: 'contacts:export',
  query: Type.Object({
    ...contactFilter,
    format: Type.Optional(Type.Enum(['csv', 'ndjson'], { default: 'csv' })),
    raw: Type.Optional(Type.Boolean({ description: 'Without the apostrophes' })),
  }),
  answers: {
    200: {
      description: 'A header and a row for each contact, or an object for each contact and line.',
      media: 'text/csv',
      body: Type.String(),
    },
  },
  errors: ['segment_rule_invalid', 'segment_not_found'],
})

export const exportContact = defineOperation({
  name: 'exportContact',
  summary: 'All data of one contact as a JSON file',
  ...routeOf(routes.exportContact),
  access: 'member',
  permission: 'contacts:export',
  params: byId,
  answers: {
    200: {
      description: 'Contact, consents, memberships and deliveries.',
      body: Type.Object({
        contact: Type.Object({ ...Contact.properties, tracking: ContactTracking }),
        lists: ContactDetail.properties.lists,
        consents: ContactDetail.properties.consents,
        deliveries: Type.Array(
          Type.Object({ subject: Type.String(), state: Type.String(), at: instant, campaign: orNull(Type.String()) }),
        ),
      }),
    },
  },
  errors: ['contact_not_found'],
})

export const createContact = defineOperation({
  name: 'createContact',
  summary: 'Add a contact',
  ...routeOf(routes.createContact),
  access: 'member',
  permission: 'contacts:write',
  body: NewContact,
  answers: { 201: { description: 'The contact.', body: ContactDetail } },
  errors: [
    'contact_exists',
    'contact_erased',
    'field_unknown',
    'field_value_invalid',
    'contact_too_large',
    'list_not_found',
  ],
})

export const upsertContacts = defineOperation({
  name: 'upsertContacts',
  summary: 'Add contacts, or change those whose addresses exist; all or none',
  ...routeOf(routes.upsertContacts),
  access: 'member',
  permission: 'contacts:write',
  caller: 'program',
  body: Type.Object({ contacts: Type.Array(NewContact, { minItems: 1, maxItems: contactBatchMaxCount }) }),
  answers: {
    200: {
      description: 'Ids in the order given; of two entries with one address the later one wins.',
      body: Type.Object({ added: Type.Integer(), updated: Type.Integer(), ids: Type.Array(Type.String()) }),
    },
  },
  isRepeatable: true,
  errors: ['contact_erased', 'field_unknown', 'field_value_invalid', 'contact_too_large', 'list_not_found'],
})

export const getContact = defineOperation({
  name: 'getContact',
  summary: 'A contact with its lists and consents',
  ...routeOf(routes.getContact),
  access: 'member',
  permission: 'contacts:read',
  params: byId,
  answers: { 200: { description: 'The contact.', body: ContactDetail } },
  errors: ['contact_not_found'],
})

export const updateContact = defineOperation({
  name: 'updateContact',
  summary: 'Change the given properties of a contact',
  ...routeOf(routes.updateContact),
  access: 'member',
  permission: 'contacts:write',
  params: byId,
  body: ContactChanges,
  answers: { 200: { description: 'The contact.', body: ContactDetail } },
  errors: [
    'contact_not_found',
    'contact_exists',
    'contact_erased',
    'field_unknown',
    'field_value_invalid',
    'contact_too_large',
  ],
})

export const deleteContact = defineOperation({
  name: 'deleteContact',
  summary: 'Delete a contact with its memberships; suppressions of its address stay',
  ...routeOf(routes.deleteContact),
  access: 'member',
  permission: 'contacts:delete',
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['contact_not_found'],
})

export const eraseContact = defineOperation({
  name: 'eraseContact',
  summary:
    'Erase a person: the contact with everything stored about it at once, the address in past mails within a day; a hash keeps mail and imports from reaching the address again',
  ...routeOf(routes.eraseContact),
  access: 'member',
  permission: 'contacts:delete',
  params: byId,
  answers: { 204: { description: 'Erased.' } },
  errors: ['contact_not_found'],
})

export const listContactTimeline = defineOperation({
  name: 'listContactTimeline',
  summary: 'Timeline of a contact: mails with their results, consents and memberships, newest first',
  ...routeOf(routes.listContactTimeline),
  access: 'member',
  permission: 'contacts:read',
  params: byId,
  query: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 100, description: 'X-Next-Cursor of the previous page' })),
  }),
  answers: {
    200: { description: '50 a page.', body: Type.Array(TimelineEntry), headers: cursorHeader },
  },
  errors: ['contact_not_found'],
})
