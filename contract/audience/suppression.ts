import { Type, type Static } from 'typebox'
import { recipientsMaxCount } from '../mail/message.limits.ts'
import { suppressionDetailMaxChars } from './suppression.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import * as routes from './suppression.routes.ts'

/** Why an address must not be written to. */
export const suppressionReasons = ['unsubscribed', 'bounced', 'complained', 'manual'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

const Suppression = Type.Object({
  id: Type.String(),
  email: Type.String(),
  reason: Type.Enum([...suppressionReasons]),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'What the mail server said, where it bounced' }),
  campaign_id: Type.Union([Type.String(), Type.Null()], { description: 'Whose mail it was unsubscribed from' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** An address that nothing of the workspace is sent to. */
export type Suppression = Static<typeof Suppression>

const ImportedSuppressions = Type.Object({
  added: Type.Integer(),
  known: Type.Integer({ description: 'Those already on the list; they keep their reason' }),
  refused: Type.Integer({ description: 'Lines that are not one address' }),
  refusals: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() })),
})
/** What became of a CSV of suppressions. */
export type ImportedSuppressions = Static<typeof ImportedSuppressions>

export const listSuppressions = defineOperation({
  name: 'listSuppressions',
  summary: 'Suppressed addresses, newest first',
  ...routeOf(routes.listSuppressions),
  access: 'member',
  permission: 'suppressions:read',
  query: Type.Object({
    ...CursorPaging,
    email: Type.Optional(Type.String({ maxLength: 254, description: 'Only this address' })),
    search: Type.Optional(Type.String({ maxLength: 254, description: 'Only addresses in which this text occurs' })),
    reason: Type.Optional(Type.Enum([...suppressionReasons])),
  }),
  answers: pageAnswer('The suppressions.', Suppression),
})

export const addSuppressions = defineOperation({
  name: 'addSuppressions',
  summary: 'Suppress addresses: they get no mail',
  ...routeOf(routes.addSuppressions),
  access: 'member',
  permission: 'suppressions:write',
  body: Type.Object({
    emails: Type.Array(Type.String(), { minItems: 1, maxItems: recipientsMaxCount }),
    reason: Type.Optional(Type.Enum([...suppressionReasons], { default: 'manual' })),
    created_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Date of the suppression in an earlier system; ISO 8601, in the past',
      }),
    ),
    detail: Type.Optional(Type.Union([Type.String({ maxLength: suppressionDetailMaxChars }), Type.Null()])),
    campaign_id: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Left out where the workspace has none of that id' }),
    ),
  }),
  answers: {
    200: {
      description: 'From now on nothing is sent to them.',
      body: Type.Object({ added: Type.Integer({ description: 'Number of addresses that were not on the list' }) }),
    },
  },
  isRepeatable: true,
})

export const deleteSuppression = defineOperation({
  name: 'deleteSuppression',
  summary: 'Remove a suppression: the address gets mail again',
  ...routeOf(routes.deleteSuppression),
  access: 'member',
  permission: 'suppressions:write',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({
    consented: Type.Optional(
      Type.Boolean({ description: 'Needed for who unsubscribed or complained: they have asked for mail again' }),
    ),
  }),
  answers: { 204: { description: 'Gone.' } },
  errors: ['suppression_not_found', 'suppression_locked'],
})

export const importSuppressions = defineOperation({
  name: 'importSuppressions',
  summary: 'Add addresses from a CSV with the column email, and reason where there is one',
  ...routeOf(routes.importSuppressions),
  access: 'member',
  permission: 'suppressions:write',
  bodyMedia: ['text/csv'],
  answers: { 200: { description: 'From now on nothing is sent to them.', body: ImportedSuppressions } },
  isRepeatable: true,
})

export const exportSuppressions = defineOperation({
  name: 'exportSuppressions',
  summary: 'All suppressions as CSV; cells that a spreadsheet would read as a formula begin with an apostrophe',
  ...routeOf(routes.exportSuppressions),
  access: 'member',
  permission: 'suppressions:export',
  answers: {
    200: { description: 'Columns email, reason, detail, created_at.', media: 'text/csv', body: Type.String() },
  },
})
